// Bundles each program into one CommonJS file. A command that loads eighty small modules spends 40 ms on finding them, and
// Node's ESM loader alone takes 4; bundled, `signalbox send` takes about twice as long as `node -e 0`. Types are checked by
// `npm run check`, not here.
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'signalbox' },
    { in: 'src/demo/agent.ts', out: 'demo-agent' },
  ],
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  sourcemap: true,
  sourcesContent: false,
  // yaml is loaded only where there is a config.yaml; bindings is the fallback of better-sqlite3's own loader, never
  // reached because store/sqlite/connection.ts names the binary itself.
  external: ['bindings', 'yaml'],
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
});
chmodSync('dist/signalbox.cjs', 0o755);
cpSync('src/store/sqlite/migrations', 'dist/migrations', { recursive: true });
