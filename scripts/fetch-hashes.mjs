// Asks the registry for the integrity hashes of packages at exact versions, by letting npm write a
// lockfile for them in a throw-away folder: nothing is unpacked and no script runs. They are
// optional dependencies there, since npm leaves out an optional one that the registry lacks and
// would refuse the whole list for a required one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The hashes that the registry has, by name; a package that it lacks is not in the answer. */
export function fetchHashes(versions) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-hashes-'));
  try {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'hashes', version: '0.0.0', optionalDependencies: versions }),
    );
    const { status, stderr } = spawnSync(
      'npm',
      ['install', '--package-lock-only', '--ignore-scripts', '--force', '--no-audit'],
      { cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`npm could not ask the registry:\n${stderr}`);
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    return Object.fromEntries(
      Object.keys(versions)
        .map((name) => [name, packages[`node_modules/${name}`]])
        .filter(([name, entry]) => entry?.version === versions[name] && entry.integrity)
        .map(([name, { integrity }]) => [name, integrity]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
