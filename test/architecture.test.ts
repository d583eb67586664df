import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Read downwards: each folder may import only folders above it. The picture of this is in
 * docs/architecture.md.
 */
const layers = [
  'shared',
  'messages',
  'agents',
  'events',
  'config',
  'trust',
  'profiles',
  'terminals',
  'providers',
  'store',
  'delivery',
  'fleet',
  'team',
  'protocol',
  'views',
  'attention',
  'requests',
  'server',
  'client',
  'mcp-proxy',
  'daemon',
  'demo',
  'cli',
];

/** Arrows that the order would allow and we do not. */
const forbidden: readonly [from: RegExp, to: RegExp, why: string][] = [
  [/^(delivery|fleet)\//, /^store\/(?!ledger\.ts)/, 'see the port alone'],
  [
    /^(delivery|fleet)\//,
    /^terminals\/(?!(?:backends?|terminal|writing)\.ts)/,
    'see the port alone',
  ],
  [
    /^(cli|demo)\//,
    /^(store|delivery|fleet|requests|terminals|server|daemon)\//,
    'go through client/ like any outsider',
  ],
  [/^attention\//, /^store\/(?!ledger\.ts)/, 'see the port alone'],
  [
    /^protocol\//,
    /^(store|delivery|fleet|config|terminals|providers)\//,
    'is all that a stranger may see',
  ],
  [
    /^views\//,
    /^(?!views\/|protocol\/|agents\/reference\.ts|shared\/(?:reveal|cell-width)\.ts)/,
    'be made of documents alone',
  ],
  [
    /^client\/socket\//,
    /^(server|requests|terminals|fleet|daemon)\//,
    'know the daemon by its protocol alone',
  ],
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));

test('imports point upwards only', () => {
  expect(arrows().filter(({ from, to }) => layer(to) > layer(from))).toEqual([]);
  expect(files.filter(({ file }) => !layers.includes(folder(file)))).toEqual([]);
});

test('no arrow is drawn that we forbid', () => {
  const broken = arrows().flatMap(({ from, to }) =>
    forbidden
      .filter(([a, b]) => a.test(from) && b.test(to))
      .map(([, , why]) => `${from} → ${to}: must ${why}`),
  );
  expect(broken).toEqual([]);
});

test('nothing of Node, and no package but Preact, reaches the page in the browser', () => {
  const reached = new Map<string, readonly string[]>();
  const walk = (path: string): void => {
    if (reached.has(path) || path.endsWith('.css')) return;
    const wanted = listLoaded(readFileSync(path, 'utf8'));
    reached.set(path, wanted);
    for (const name of wanted) if (name.startsWith('.')) walk(join(path, '..', name));
  };
  walk('web/main.tsx');
  for (const { file } of files) if (file.startsWith('views/')) walk(join('src', file));
  const packages = [...reached].flatMap(([path, wanted]) =>
    wanted
      .filter((name) => !name.startsWith('.') && !/^preact(\/hooks)?$/.test(name))
      .map((name) => `${path} → ${name}`),
  );
  expect(packages).toEqual([]);
  expect(reached.size).toBeGreaterThan(50);
});

test('of the page only web/clock.ts reads a clock, and nothing writes HTML', () => {
  const page = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join('web', file), 'utf8') }));
  const using = (pattern: RegExp) =>
    page.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(using(/Date\.now\(|performance\.now\(|new Date\(\)/)).toEqual(['clock.ts']);
  const html =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function/;
  expect(using(html)).toEqual([]);
});

test('only shared/clock.ts reads a clock, and only store/sqlite/open-database.ts imports better-sqlite3', () => {
  const using = (pattern: RegExp) =>
    files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(using(/Date\.now\(|performance\.now\(|new Date\(\)/)).toEqual(['shared/clock.ts']);
  expect(using(/from 'better-sqlite3'/)).toEqual(['store/sqlite/open-database.ts']);
});

test('rule 41: what lies where a CLI or an agent puts it is opened by shared/open-file.ts alone', () => {
  // A pipe in the place of a file would stop the daemon, or one of the few threads that read.
  const ownWays = [
    // Of the system, and of our own package.
    ...['codex/first-client.ts', 'detector/load.ts', 'find-version-warning.ts', 'team-record.ts'],
    'version-trials.ts',
    // With flags of its own.
    ...['claude-code/put-up.ts', 'qwen/input-file.ts'],
  ];
  const opening =
    /^import \{[^}]*\b(readFile|readFileSync|open|openSync|createReadStream)\b[^}]*\} from 'node:fs/m;
  const using = files
    .filter(({ file, text }) => file.startsWith('providers/') && opening.test(text))
    .map(({ file }) => file.replace('providers/', ''));
  expect(using.sort()).toEqual(ownWays.sort());
});

test('rule 47: every word of the command line passes the gate of cli/output.ts', () => {
  const using = (pattern: RegExp) =>
    files
      .filter(({ file, text }) => file.startsWith('cli/') && pattern.test(text))
      .map(({ file }) => file)
      .sort();
  expect(using(/std(?:out|err)\.write\(|console\.|\bwriteSync\(|writeFile/)).toEqual([
    'cli/output.ts',
    // An older Node cannot load the gate; these words are our own, and a path in plain ASCII.
    'cli/refuse-node.ts',
  ]);
  // Past it go raw bytes that were asked for; and the command that a person runs writes for itself.
  expect(using(/\bwriteRaw\(/)).toEqual([
    'cli/commands/logs.ts',
    'cli/commands/output.ts',
    'cli/output.ts',
  ]);
  expect(using(/process\b.*\bstdout\b(?!\.(?:isTTY|columns))|\bstdout, stderr\b/)).toEqual([
    'cli/commands/demo.ts',
    'cli/commands/run-task.ts',
    'cli/output.ts',
    'cli/refuse-node.ts',
  ]);
  expect(using(/\\u001b|\\x1b|\\033/)).toEqual([
    'cli/plain-reader.ts',
    'cli/ring-codes.ts',
    'cli/screen-codes.ts',
  ]);
});

test('no file is called utils, helpers, common, types, manager or service', () => {
  const vague = /(^|[/-])(utils?|helpers?|common|types|interfaces|manager|service)\.ts$/;
  expect(files.map(({ file }) => file).filter((file) => vague.test(file))).toEqual([]);
});

test('each file of delivery/ has its test beside it, or says in its first line where its tests are', () => {
  const lost = files
    .filter(({ file }) => file.startsWith('delivery/'))
    .filter(({ file }) => !existsSync(join('src', file.replace(/\.ts$/, '.test.ts'))))
    .flatMap(({ file, text }) => {
      const [, said] = /^\/\/ Tests: (.+)\.$/m.exec(text.split('\n')[0] ?? '') ?? [];
      if (said === undefined) return [`${file} names no tests`];
      const missing = said
        .split(', ')
        .filter((path) => !/\.test\.ts$/.test(path) || !existsSync(path));
      return missing.map((path) => `${file}: ${path}`);
    });
  expect(lost).toEqual([]);
});

test('the picture in docs/architecture.md numbers every folder in this order', () => {
  const [, picture = ''] =
    /```\n([\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
  const drawn = [...picture.matchAll(/│ +(\d+) ([a-z-]+)\/ *(?=│)/g)].map(([, number, name]) => ({
    number: Number(number),
    name,
  }));
  expect(drawn.sort((a, b) => a.number - b.number)).toEqual(
    layers.map((name, index) => ({ number: index + 1, name })),
  );
});

function arrows(): readonly { from: string; to: string }[] {
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g)].map((match) => ({
      from: file,
      to: relative('src', resolve('src', file, '..', match[1] ?? '')),
    })),
  );
}

/** What a file loads when it runs: types are gone by then. */
function listLoaded(text: string): readonly string[] {
  const loading = /^(?:import|export)\b(?! type)(?:[^;'=]*?\bfrom)?\s*'([^']+)';/gm;
  return [...text.matchAll(loading)].map(([, name]) => name ?? '');
}

function folder(file: string): string {
  return file.split('/')[0] ?? '';
}

function layer(file: string): number {
  return layers.indexOf(folder(file));
}
