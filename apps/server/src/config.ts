import { keyKindOf, plans, type Plan } from '@merlon/base'

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly secret: string | undefined
  readonly production: boolean
  readonly role: 'all' | 'api' | 'worker'
  readonly publicUrl: string | undefined
  readonly bootstrapApiKey: string | undefined
  readonly defaultPlan: Plan
  readonly trustProxy: boolean | string
  readonly metricsToken: string | undefined
  readonly logLevel: (typeof logLevels)[number]
  readonly databaseConnections: number
  readonly privateTargets: boolean
  readonly geoCityPath: string | undefined
  readonly geoCountryPath: string | undefined
  readonly geoAsnPath: string | undefined
  readonly limits: {
    readonly accountPerMinute: number
    readonly ingestPerMinute: number
    readonly publicPerMinute: number
    readonly loginPerMinute: number
  }
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
type Env = Readonly<Record<string, string | undefined>>

/** Reads every setting once, and names all that are wrong at once: an operator fixes them in one go. */
export function readConfig(env: Env): Config {
  const wrong: string[] = []
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const given = text(name)
    if (given === undefined) return fallback
    const value = Number(given)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    wrong.push(`${name} must be a whole number from ${min} to ${max}, not "${given}"`)
    return fallback
  }
  const choice = <V extends string>(name: string, values: readonly V[], fallback: V): V => {
    const given = text(name)
    const found = values.find((value) => value === given)
    if (given !== undefined && found === undefined) {
      wrong.push(`${name} must be one of ${values.join(', ')}, not "${given}"`)
    }
    return found ?? fallback
  }

  const production = text('NODE_ENV') === 'production'
  const secret = text('MERLON_SECRET')
  if (secret !== undefined && secret.length < 32) {
    wrong.push('MERLON_SECRET must have at least 32 characters')
  }
  if (production && secret === undefined) {
    wrong.push('MERLON_SECRET is required with NODE_ENV=production (32 or more random characters)')
  }
  const databaseUrl = text('DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    wrong.push('DATABASE_URL must begin with postgres:// or postgresql://')
  }
  const publicUrl = text('MERLON_PUBLIC_URL')
  if (publicUrl !== undefined && !/^https?:\/\/[^\s]+$/.test(publicUrl)) {
    wrong.push('MERLON_PUBLIC_URL must be a full http or https address')
  }
  const bootstrapApiKey = text('MERLON_BOOTSTRAP_API_KEY')
  if (bootstrapApiKey !== undefined && keyKindOf(bootstrapApiKey) !== 'account') {
    wrong.push(
      'MERLON_BOOTSTRAP_API_KEY must be a key of the form mln_live_ + 30 characters + 6 of checksum ("merlon keys generate" makes one)',
    )
  }
  const privateTargets = choice(
    'MERLON_PENTEST_PRIVATE',
    ['allow', 'refuse'],
    production ? 'refuse' : 'allow',
  )
  if (production && privateTargets === 'allow') {
    wrong.push('MERLON_PENTEST_PRIVATE=allow is not possible with NODE_ENV=production')
  }

  const config: Config = {
    port: whole('PORT', 4000, 0, 65_535),
    host: text('HOST') ?? '127.0.0.1',
    dataDir: text('MERLON_DATA_DIR') ?? '.merlon',
    databaseUrl,
    secret,
    production,
    role: choice('MERLON_ROLE', ['all', 'api', 'worker'], 'all'),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    bootstrapApiKey,
    defaultPlan: choice('MERLON_DEFAULT_PLAN', plans, 'free'),
    trustProxy: trustedProxies(text('MERLON_TRUST_PROXY')),
    metricsToken: text('MERLON_METRICS_TOKEN'),
    logLevel: choice('MERLON_LOG_LEVEL', logLevels, 'info'),
    databaseConnections: whole('MERLON_DATABASE_CONNECTIONS', 10, 4, 200),
    privateTargets: privateTargets === 'allow',
    geoCityPath: text('MERLON_GEO_CITY_DB'),
    geoCountryPath: text('MERLON_GEO_COUNTRY_DB'),
    geoAsnPath: text('MERLON_GEO_ASN_DB'),
    limits: {
      accountPerMinute: whole('MERLON_LIMIT_ACCOUNT', 3_000, 1, 10_000_000),
      ingestPerMinute: whole('MERLON_LIMIT_INGEST', 6_000, 1, 10_000_000),
      publicPerMinute: whole('MERLON_LIMIT_PUBLIC', 600, 1, 10_000_000),
      loginPerMinute: whole('MERLON_LIMIT_LOGIN', 10, 1, 10_000_000),
    },
  }
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return Object.freeze(config)
}

/** `true`, or the addresses of the proxies in front: without it X-Forwarded-For is a stranger's word. */
function trustedProxies(given: string | undefined): boolean | string {
  if (given === undefined || given === 'false') return false
  return given === 'true' ? true : given
}
