// Says whether the package in this folder may be published: run it before `npm publish`, on the
// commit to be released. Each line is one check; the first refusal does not hide the others.
// docs/releasing.md is the list that it belongs to.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';

/** npm runs these on the machines of people who install; ours run nothing there. */
const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare'];

/** All that may be in the package; anything else is a file that slipped in. */
const packed = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/[a-z-]+\.cjs(\.map)?$/,
  /^dist\/providers\/[a-z-]+\.cjs(\.map)?$/,
  /^dist\/detectors\/[a-z-]+\.yaml$/,
  /^dist\/dashboard\/(index\.html|assets\/[a-z]+-[A-Z0-9]+\.(js|css|svg))$/,
  /^dist\/migrations\/\d{4}-[a-z-]+\.sql$/,
  /^dist\/profiles\/[a-z-]+\.md$/,
  /^dist\/(hook-client\.sh|capabilities\.json)$/,
  /^docs\/[a-z-]+\.(md|svg)$/,
  /^docs\/clis\/[a-z-]+\.md$/,
  /^docs\/decisions\/\d{4}-[a-z0-9-]+\.md$/,
  /^docs\/results\/[a-z0-9-]+\.(md|json)$/,
  /^skills\/signalbox\/[A-Za-z-]+\.md$/,
];
const executable = ['dist/signalbox.cjs'];

const manifest = readJson('package.json');
const lock = Object.entries(readJson('package-lock.json').packages).filter(([path]) => path);
const tarball = listTarball();

const checks = [
  {
    what: 'every package in the lockfile has its integrity hash',
    wrong: lock
      .filter(([, entry]) => !entry.link && !entry.integrity)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`),
    next: 'Run `node scripts/complete-lockfile.mjs` where the registry has all platforms.',
  },
  {
    // .npmrc leaves the registry's own addresses out of the lockfile: an address that stands there
    // is another source.
    what: 'every package comes from the registry',
    wrong: lock
      .filter(([, { link, resolved }]) => link || resolved)
      .map(([path, { resolved }]) => `${path} (${resolved ?? 'a link'})`),
    next: 'Depend on a published version.',
  },
  {
    what: 'packages with install scripts are named in allowScripts',
    wrong: lock
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .filter((name) => !Object.hasOwn(manifest.allowScripts ?? {}, name)),
    next: 'Read the script, then allow or refuse it in package.json.',
  },
  {
    what: 'the package runs no script where it is installed',
    wrong: installScripts.filter((name) => Object.hasOwn(manifest.scripts ?? {}, name)),
    next: 'Do the work when it is built, or when a command first needs it.',
  },
  {
    what: `the ${tarball.length} packed files are all expected`,
    wrong: tarball.map(({ path }) => path).filter((path) => !packed.some((it) => it.test(path))),
    next: 'Remove the file, or add it to the list in scripts/check-release.mjs.',
  },
  {
    what: 'the programs that package.json names are packed',
    wrong: Object.values(manifest.bin ?? {}).filter(
      (path) => !tarball.some((file) => file.path === path),
    ),
    next: 'Run `npm run build`.',
  },
  {
    what: 'only the command itself is executable',
    wrong: tarball
      .filter(({ path, mode }) => mode & 0o111 && !executable.includes(path))
      .map(({ path }) => path),
    next: 'Run `chmod -x` on it.',
  },
  {
    what: 'no packed file names a folder of this machine',
    wrong: tarball.map(({ path }) => path).filter(namesThisMachine),
    next: 'Build it from relative paths.',
  },
  {
    what: `CHANGELOG.md has a heading for ${manifest.version}`,
    wrong: readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${manifest.version}`)
      ? []
      : [`## ${manifest.version}`],
    next: 'Move what stands under Unreleased below that heading, with the date.',
  },
  {
    what: 'everything is committed',
    wrong: run('git', ['status', '--porcelain']).split('\n').filter(Boolean),
    next: 'Commit it, or remove it.',
  },
];

for (const { what, wrong, next } of checks) {
  console.log(`${wrong.length === 0 ? 'ok     ' : 'refused'}  ${what}`);
  for (const item of wrong) console.log(`           ${item}`);
  if (wrong.length > 0) console.log(`         ${next}`);
}
const refused = checks.filter(({ wrong }) => wrong.length > 0).length;
console.log(
  refused === 0
    ? `${manifest.name} ${manifest.version} may be published.`
    : `${manifest.name} ${manifest.version} may not be published: ${refused} of ${checks.length} checks refuse it.`,
);
process.exitCode = refused === 0 ? 0 : 1;

function listTarball() {
  const [{ files }] = JSON.parse(
    run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent']),
  );
  return files;
}

function namesThisMachine(path) {
  const text = readFileSync(path, 'utf8');
  // A home of `/` or `/root` stands in ordinary text; the folder of the build never does.
  const homes = [homedir()].filter((folder) => folder.split('/').length > 2);
  return [process.cwd(), ...homes].some((folder) => text.includes(`${folder}/`));
}

function readJson(path) {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  console.error(`There is no ${path} here. Run this at the top of a clone.`);
  return process.exit(2);
}

function run(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
