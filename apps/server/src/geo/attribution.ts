/** Whom a page that shows places must name, with a link. */
export interface Attribution {
  readonly name: string
  readonly url: string
  readonly licence: string
}

const dbIp: Attribution = {
  name: 'IP Geolocation by DB-IP',
  url: 'https://db-ip.com/',
  licence: 'CC-BY-4.0',
}
const numberResourceOrganization: Attribution = {
  name: 'Number Resource Organization',
  url: 'https://www.nro.net/',
  licence: 'CC-BY-4.0',
}

export const countryAttribution: readonly Attribution[] = [
  { name: 'ip-location-db', url: 'https://github.com/sapics/ip-location-db', licence: 'CC0-1.0' },
  numberResourceOrganization,
]
export const cityAttribution: readonly Attribution[] = [dbIp]
export const asnAttribution: readonly Attribution[] = [
  { name: 'Route Views', url: 'https://www.routeviews.org/', licence: 'CC-BY-4.0' },
  dbIp,
  numberResourceOrganization,
]

const byDatabaseType: readonly (readonly [RegExp, Attribution])[] = [
  [
    /^GeoLite2/i,
    {
      name: 'GeoLite2 data created by MaxMind',
      url: 'https://www.maxmind.com',
      licence: 'GeoLite2 End User License Agreement',
    },
  ],
  [/^DBIP.*Lite/i, dbIp],
  [
    /^ipinfo.*(lite|free)/i,
    {
      name: 'IP address data powered by IPinfo',
      url: 'https://ipinfo.io',
      licence: 'CC-BY-SA-4.0',
    },
  ],
]

/** For a file of the operator's own: only free databases ask to be named, and they say who they are. */
export function attributionOf(databaseType: string): readonly Attribution[] {
  return byDatabaseType.flatMap(([type, attribution]) =>
    type.test(databaseType) ? [attribution] : [],
  )
}

export function withoutRepeats(all: readonly Attribution[]): readonly Attribution[] {
  return [...new Map(all.map((one) => [one.name, one])).values()]
}
