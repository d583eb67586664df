// The page of `signalbox dashboard`: one script and one style sheet, named by their contents, so
// that a browser may keep them for ever. It is one script on purpose: a part that is loaded later
// could come from whoever has taken the port by then (decision 30).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

export async function buildDashboard(target) {
  const { metafile } = await build({
    entryPoints: ['web/main.tsx', 'web/icon.svg'],
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    // With the `v` flag of regular expressions, which shows what hides in a text.
    target: ['chrome112', 'firefox116', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    legalComments: 'none',
  });
  const find = (end) => {
    const names = Object.keys(metafile.outputs).filter((path) => path.endsWith(end));
    if (names.length !== 1) throw new Error(`the dashboard has ${names.length} files *${end}`);
    return basename(names[0]);
  };
  const names = { SCRIPT: find('.js'), STYLE: find('.css'), ICON: find('.svg') };
  const page = readFileSync('web/index.html', 'utf8');
  mkdirSync(target, { recursive: true });
  writeFileSync(
    join(target, 'index.html'),
    page.replaceAll(/SCRIPT|STYLE|ICON/g, (word) => names[word]),
  );
}
