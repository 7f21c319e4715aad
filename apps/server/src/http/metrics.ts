import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  observe(method: string, route: string, status: number, ms: number): void
  /** A figure that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'merlon_' })
  const duration = new Histogram({
    name: 'merlon_http_request_seconds',
    help: 'Duration of HTTP requests by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Finding a series by its labels costs more than counting in it.
  const series = new Map<string, ReturnType<typeof duration.labels>>()
  const seriesOf = (method: string, route: string, status: number) => {
    const id = `${method} ${status} ${route}`
    const known = series.get(id) ?? duration.labels(method, route, String(status))
    series.set(id, known)
    return known
  }
  return {
    registry,
    observe: (method, route, status, ms) => {
      // Only methods that we answer: an attacker must not be able to grow the label set.
      const known = METHODS.has(method) ? method : 'other'
      seriesOf(known, route, status).observe(ms / 1000)
    },
    gauge(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          gauge.set(await read())
        },
      })
    },
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
