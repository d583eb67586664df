// Bundles each program into one CommonJS file. A command that loads eighty small modules spends 40
// ms on finding them, and Node's ESM loader alone takes 4; bundled, `signalbox send` takes about
// twice as long as `node -e 0`. Types are checked by `npm run check`, not here.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { buildDashboard } from './build-dashboard.mjs';

// For the lab: the same program with a switch for shorter spans (src/shared/own-span.ts). It is
// never published.
const isTestBuild = process.argv.includes('--test-build');
const target = isTestBuild ? 'node_modules/.cache/signalbox-test-build' : 'dist';
// Built aside and renamed file by file: a program that starts, or runs, meanwhile finds the old
// file or the new one.
const staging = `dist.new-${process.pid}`;
const providers = readdirSync('src/providers').filter((name) =>
  existsSync(`src/providers/${name}/provider.ts`),
);
const common = {
  outdir: staging,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  sourcemap: true,
  sourcesContent: false,
  // yaml is loaded only where there is a config.yaml or a profile; bindings is the fallback of
  // better-sqlite3's own loader, never reached because store/sqlite/find-binary.ts names the binary
  // itself.
  external: ['bindings', 'yaml'],
  define: {
    'import.meta.url': 'bundleUrl',
    shortSpans: isTestBuild ? 'process.env.SIGNALBOX_SHORT_SPANS' : 'undefined',
  },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
};
// The daemon loads the MCP SDK with the first call of a tool: a third of its size, of which it
// parses nothing before.
const sdk = '@modelcontextprotocol/server';
const sdkApart = {
  name: 'SDK apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: new RegExp(`^${sdk}$`) }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './mcp-sdk.cjs', external: true } : undefined,
    );
  },
};
// A terminal emulator, which `logs` alone needs.
const emulator = '@xterm/headless';
await build({
  ...common,
  plugins: [sdkApart],
  entryPoints: [
    { in: sdk, out: 'mcp-sdk' },
    { in: emulator, out: 'xterm-headless' },
    { in: 'src/demo/agent.ts', out: 'demo-agent' },
    { in: 'src/demo/janitor.ts', out: 'demo-janitor' },
    { in: 'src/daemon/main.ts', out: 'daemon' },
    { in: 'src/client/hook/main.ts', out: 'hook' },
    { in: 'src/mcp-proxy/main.ts', out: 'mcp' },
    { in: 'src/terminals/tmux/reader.ts', out: 'tmux-reader' },
    { in: 'src/demo/scripted-agent.ts', out: 'scripted-agent' },
    ...providers.map((name) => ({
      in: `src/providers/${name}/provider.ts`,
      out: `providers/${name}`,
    })),
  ],
});
// The command line asks an adapter for a version or two, in `doctor`: a third of its size stays in
// files of its own, and so does the emulator.
await build({
  ...common,
  entryPoints: [{ in: 'src/cli/main.ts', out: 'signalbox' }],
  plugins: [
    {
      name: 'adapters apart',
      setup: ({ onResolve }) => {
        onResolve({ filter: /^\.\/[a-z-]+\/provider\.ts$/ }, ({ path, importer }) =>
          importer.endsWith('registry.ts')
            ? { path: `./providers/${path.split('/')[1]}.cjs`, external: true }
            : undefined,
        );
        onResolve({ filter: new RegExp(`^${emulator}$`) }, () => ({
          path: './xterm-headless.cjs',
          external: true,
        }));
      },
    },
  ],
});
await buildDashboard(`${staging}/dashboard`);
chmodSync(`${staging}/signalbox.cjs`, 0o755);
cpSync('src/fleet/hook-client.sh', `${staging}/hook-client.sh`);
// What the lab has seen, for `doctor`.
cpSync('docs/results/team.json', `${staging}/capabilities.json`);
cpSync('docs/results/versions.json', `${staging}/versions.json`);
cpSync('src/profiles/built-in', `${staging}/profiles`, { recursive: true });
cpSync('src/store/sqlite/migrations', `${staging}/migrations`, { recursive: true });
for (const provider of readdirSync('src/providers')) {
  const rules = `src/providers/${provider}/detector.yaml`;
  if (existsSync(rules)) cpSync(rules, `${staging}/detectors/${provider}.yaml`);
}

const built = readdirSync(staging, { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
);
const names = new Set(built.map((entry) => relative(staging, join(entry.parentPath, entry.name))));
for (const name of names) {
  mkdirSync(dirname(join(target, name)), { recursive: true });
  renameSync(join(staging, name), join(target, name));
}
rmSync(staging, { recursive: true, force: true });
for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const name = relative(target, join(entry.parentPath, entry.name));
  if (entry.isFile() && !names.has(name)) rmSync(join(target, name), { force: true });
}
