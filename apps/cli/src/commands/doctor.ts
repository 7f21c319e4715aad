import { defineCommand, type Context } from '../command.ts'
import { configFilePath, isReadableByOthers } from '../config-file.ts'
import { check, type Check } from '../doctor/check.ts'
import { checkDataDirectory } from '../doctor/data-directory.ts'
import { checkNodeVersion } from '../doctor/node-version.ts'
import { checkServer } from '../doctor/server.ts'
import { exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import type { Color } from '../output/output.ts'
import { clean } from '../output/table.ts'

const faces: Readonly<Record<Check['status'], readonly [word: string, color: Color]>> = {
  ok: ['ok  ', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skip: ['-   ', 'dim'],
}

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Look at everything Merlon needs here; exit code 1 when something is broken',
  arguments: [],
  options: {
    'data-dir': {
      kind: 'text',
      value: 'folder',
      summary: 'the data directory (default: MERLON_DATA_DIR, or .merlon here)',
    },
  },
  run: async ({ host, out, settings }, { options }) => {
    const checks = [
      checkNodeVersion(host.nodeVersion, host.nowMs()),
      await checkConfig(host),
      ...(await checkServer(host, settings)),
      ...(await checkDataDirectory(host, options['data-dir'])),
    ]
    const healthy = checks.every(({ status }) => status !== 'fail')
    out.result({ healthy, checks }, () => checks.map((one) => line(one, out.paint)).join('\n'))
    return healthy ? exitCode.ok : exitCode.failed
  },
})

function line({ status, name, detail }: Check, paint: Context['out']['paint']): string {
  const [word, color] = faces[status]
  return `${paint(color, word)}  ${name.padEnd(20)} ${clean(detail)}`
}

async function checkConfig(host: Host): Promise<Check> {
  const path = configFilePath(host)
  const isOpen = await isReadableByOthers(path)
  if (isOpen === undefined) {
    return host.env.MERLON_API_KEY
      ? check('config', 'ok', 'the key comes from MERLON_API_KEY')
      : check('config', 'warn', `no login is kept in ${path}; run \`merlon login\``)
  }
  return isOpen && host.platform !== 'win32'
    ? check('config', 'warn', `other users can read the key in ${path}; run chmod 600 on it`)
    : check('config', 'ok', path)
}
