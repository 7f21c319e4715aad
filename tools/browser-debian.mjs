import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Chromium for a user who may not install packages, on Debian and its kin: apt fetches the packages
 * with state folders of its own, they are unpacked below the home folder, and a small script starts
 * the program with the libraries that came along.
 */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'merlon', 'chromium')
const program = join(cache, 'chromium')

export function unpackedChromium() {
  return existsSync(program) ? program : undefined
}

export function unpackChromiumForUser() {
  if (spawnSync('apt-get', ['--version']).status !== 0) return false
  if (spawnSync('dpkg', ['--version']).status !== 0) return false
  console.error('Unpacking Chromium below the home folder, this happens once ...')
  const draft = `${cache}.${process.pid}`
  try {
    const archives = download(draft)
    if (archives === undefined) return false
    for (const archive of archives) {
      if (run('dpkg', ['-x', archive, join(draft, 'root')]).status !== 0) return false
    }
    rmSync(join(draft, 'apt'), { recursive: true, force: true })
    if (!existsSync(join(draft, 'root/usr/lib/chromium/chromium'))) return false
    writeFileSync(join(draft, 'chromium'), startScript(draft))
    chmodSync(join(draft, 'chromium'), 0o755)
    rmSync(cache, { recursive: true, force: true })
    renameSync(draft, cache)
    return true
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Fetches Chromium and every package this machine lacks for it; answers the files. */
function download(draft) {
  const state = join(draft, 'apt', 'state')
  const archives = join(draft, 'apt', 'archives')
  mkdirSync(join(state, 'lists', 'partial'), { recursive: true })
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const options = [
    `Dir::State=${state}`,
    `Dir::State::Lists=${join(state, 'lists')}`,
    // The machine's own record of installed packages is read, never written.
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${join(draft, 'apt')}`,
    `Dir::Cache::archives=${archives}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option])
  run('apt-get', [...options, '-qq', 'update'])
  const install = ['-qq', '-y', '--no-install-recommends', '--download-only', 'install', 'chromium']
  if (run('apt-get', [...options, ...install]).status !== 0) return undefined
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(archives, name))
}

function startScript(draft) {
  const below = join(cache, 'root')
  const libraries = libraryFolders(join(draft, 'root')).map((folder) => join(below, folder))
  return [
    '#!/bin/sh',
    `LD_LIBRARY_PATH="${libraries.join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    'export LD_LIBRARY_PATH',
    ...fontSettings(below),
    `exec "${below}/usr/lib/chromium/chromium" "$@"`,
    '',
  ].join('\n')
}

/** Some packages keep libraries in a folder of their own, which an installed system finds by other means. */
function libraryFolders(unpacked) {
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch
  const tops = ['usr/lib', 'lib'].map((top) => `${top}/${machine}-linux-gnu`)
  return tops
    .filter((top) => existsSync(join(unpacked, top)))
    .flatMap((top) => [
      top,
      ...readdirSync(join(unpacked, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${top}/${entry.name}`)
        .filter((folder) => readdirSync(join(unpacked, folder)).some(isLibrary)),
    ])
}

function isLibrary(name) {
  return /^lib.+\.so(\.|$)/.test(name)
}

/** Without its settings file fontconfig finds no font, and a page without a font does not render. */
function fontSettings(below) {
  return [
    `if [ ! -e /etc/fonts/fonts.conf ]; then`,
    `  FONTCONFIG_PATH="${below}/etc/fonts"`,
    `  FONTCONFIG_SYSROOT="${below}"`,
    `  export FONTCONFIG_PATH FONTCONFIG_SYSROOT`,
    `fi`,
  ]
}

function run(command, args) {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 2] })
}
