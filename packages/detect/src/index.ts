export { countryDiscs, knownCountries, type Disc } from './geo/countries.ts'
export { haversineKm, type Coordinates } from './geo/haversine.ts'
export { placeName, placeOf, separationOf } from './geo/place.ts'
export type { Located, Place, Separation } from './geo/place.ts'
export { hasPlace, networkOf } from './network/address.ts'
export { classifyNetwork, type NetworkClass } from './network/asn-class.ts'

export { detectTravel } from './travel/detect-travel.ts'
export { confirmPlace } from './travel/habits.ts'
export { travelDefaults } from './travel/types.ts'
export type {
  TravelDetection,
  TravelLogin,
  TravelOptions,
  TravelResult,
  TravelState,
  TravelStop,
} from './travel/types.ts'

export { detectFingerprintChange } from './fingerprint/detect-fingerprint-change.ts'
export { fingerprintOf } from './fingerprint/fingerprint.ts'
export type { Fingerprint, FingerprintDifference } from './fingerprint/fingerprint.ts'
export type {
  FingerprintDetection,
  FingerprintResult,
  FingerprintSighting,
  FingerprintState,
} from './fingerprint/types.ts'
export { parseUserAgent, type UserAgent } from './fingerprint/user-agent.ts'

export { authSubjects, isIdleCounter } from './auth/counter.ts'
export type { AuthCounter, AuthSubject, SubjectKind } from './auth/counter.ts'
export { observeAuth, type AuthResult } from './auth/observe-auth.ts'
export { authOutcome, type AuthAttempt, type AuthOutcome } from './auth/outcome.ts'
export type { AuthDetection, AuthDetectionType } from './auth/rules.ts'

export {
  maxAggregateRoutes,
  parseTrafficAggregate,
  trafficAggregateType,
} from './baseline/aggregate.ts'
export type { ParsedAggregate, RouteTraffic, TrafficAggregate } from './baseline/aggregate.ts'
export type { Anomaly } from './baseline/anomaly.ts'
export type { AnomalyType, MetricName } from './baseline/metric.ts'
export { closeWindows, observeAggregate } from './baseline/observe-aggregate.ts'
export { observeWindow, type BaselineResult } from './baseline/observe-window.ts'
export { emptyBaseline, type BaselineState } from './baseline/state.ts'
export { baselineThresholds, baselineView } from './baseline/view.ts'
export type {
  BaselineThresholds,
  BaselineView,
  RouteProfile,
  RouteThreshold,
  WeekOfHours,
} from './baseline/view.ts'
export type { AggregateWindow, Totals } from './baseline/window.ts'
