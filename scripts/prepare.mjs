// `npm install` in a clone builds the binary. Without the dev dependencies (a production install of
// the clone) there is no compiler, and nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('node_modules/esbuild')) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
