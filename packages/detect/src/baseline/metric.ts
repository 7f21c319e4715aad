import type { Totals } from './window.ts'

export const metricNames = [
  'requests',
  'errorRate',
  'authFailures',
  'distinctIps',
  'payloadSize',
] as const
export type MetricName = (typeof metricNames)[number]

export type AnomalyType =
  | 'anomaly.traffic_surge'
  | 'anomaly.error_rate'
  | 'anomaly.auth_failures'
  | 'anomaly.distinct_ips'
  | 'anomaly.payload_size'

export interface Metric {
  readonly name: MetricName
  readonly type: AnomalyType
  readonly unit: string
  /** The number itself, or undefined when the window has too little traffic to tell. */
  readonly read: (totals: Totals) => number | undefined
  /** Onto a scale where the spread does not grow with the level, and back. */
  readonly flatten: (value: number) => number
  readonly unflatten: (value: number) => number
  /** The least spread on that scale, so that a constant past does not make every wobble an alarm. */
  readonly leastMad: number
  /** Deviations above the median that make a window an excursion, and those of an automatic limit. */
  readonly alarmMads: number
  readonly limitMads: number
  /** An excursion is at least this many times the expected value, and at least this much. */
  readonly leastRatio: number
  readonly leastValue: number
  /** Whether it counts things, so that few of them scatter as Poisson says. */
  readonly isCount: boolean
}

const square = (value: number) => Math.max(0, value) ** 2

const counting = {
  flatten: Math.sqrt,
  unflatten: square,
  // A Poisson count has this standard deviation on the square root scale, whatever its mean.
  leastMad: 0.5,
  isCount: true,
}

const errorsOf = (totals: Totals) => totals.errors4xx + totals.errors5xx

export const metrics: Readonly<Record<MetricName, Metric>> = {
  requests: {
    ...counting,
    name: 'requests',
    type: 'anomaly.traffic_surge',
    unit: 'requests in 5 minutes',
    read: (totals) => totals.requests,
    alarmMads: 3,
    limitMads: 4,
    leastRatio: 1.5,
    leastValue: 30,
  },
  errorRate: {
    name: 'errorRate',
    type: 'anomaly.error_rate',
    unit: 'of the requests failed',
    read: (totals) => (totals.requests < 20 ? undefined : errorsOf(totals) / totals.requests),
    flatten: Math.sqrt,
    unflatten: square,
    leastMad: 0.01,
    isCount: false,
    alarmMads: 4,
    limitMads: 5,
    leastRatio: 1.5,
    leastValue: 0.02,
  },
  authFailures: {
    ...counting,
    name: 'authFailures',
    type: 'anomaly.auth_failures',
    unit: 'failed logins in 5 minutes',
    read: (totals) => totals.authFailures,
    alarmMads: 4,
    limitMads: 5,
    leastRatio: 2,
    leastValue: 10,
  },
  distinctIps: {
    ...counting,
    name: 'distinctIps',
    type: 'anomaly.distinct_ips',
    unit: 'addresses in one minute',
    read: (totals) => totals.distinctIps,
    alarmMads: 4,
    limitMads: 5,
    leastRatio: 1.5,
    leastValue: 20,
  },
  payloadSize: {
    name: 'payloadSize',
    type: 'anomaly.payload_size',
    unit: 'bytes per request',
    read: (totals) => (totals.requests < 20 ? undefined : totals.bytes / totals.requests),
    flatten: Math.log1p,
    unflatten: Math.expm1,
    leastMad: 0.05,
    isCount: false,
    alarmMads: 5,
    limitMads: 6,
    leastRatio: 2,
    leastValue: 1024,
  },
}
