// A registry mirror that lacks the newest binaries of other platforms makes npm leave those
// optional packages out of the lockfile, silently; `npm ci` then refuses the lockfile, and other
// platforms would install without their binaries. This adds the entries npm would have written,
// with the integrity hash wherever the registry has that version; scripts/check-release.mjs refuses
// a release while one is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fetchHashes } from './fetch-hashes.mjs';

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const missing = Object.entries(lock.packages).flatMap(
  ([owner, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(owner, name))
      .map(([name, range]) => [`node_modules/${name}`, describe(name, range, dev)]),
);
const packages = [...Object.entries(lock.packages), ...missing];
// Links to sponsors are host names too; npm does not miss them.
for (const [, entry] of packages) delete entry.funding;
lock.packages = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en')));
const hashed = addHashes(lock.packages);
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages of other platforms added to package-lock.json`);
console.log(`${hashed.added} integrity hashes added; the registry lacks ${hashed.lacking}`);

function addHashes(entries) {
  const bare = Object.entries(entries).filter(([path, entry]) => path && !entry.integrity);
  if (bare.length === 0) return { added: 0, lacking: 0 };
  const name = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const versions = Object.fromEntries(bare.map(([path, { version }]) => [name(path), version]));
  const hashes = fetchHashes(versions);
  // Two versions of one name may lie in the tree; the answer is about the one that was asked for.
  const known = bare.filter(
    ([path, { version }]) => hashes[name(path)] && versions[name(path)] === version,
  );
  for (const [path, entry] of known) {
    // npm writes the hash right after the version.
    const { version, ...rest } = entry;
    entries[path] = { version, integrity: hashes[name(path)], ...rest };
  }
  return { added: known.length, lacking: bare.length - known.length };
}

/** Looks where Node would: beside the owner, then outwards. */
function isLocked(owner, name) {
  const folders = owner.split('/node_modules/');
  for (let depth = folders.length; depth >= 0; depth--) {
    const prefix = folders.slice(0, depth).join('/node_modules/');
    if (lock.packages[prefix ? `${prefix}/node_modules/${name}` : `node_modules/${name}`])
      return true;
  }
  return false;
}

function describe(name, range, dev) {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined;
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(dev ? { dev: true } : {}),
    ...(libc && os === 'linux' ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  };
}
