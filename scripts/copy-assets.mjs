// tsc copies no SQL and sets no executable bit: both happen here, after every build.
import { chmodSync, cpSync } from 'node:fs';

cpSync('src/store/sqlite/migrations', 'dist/store/sqlite/migrations', { recursive: true });
chmodSync('dist/cli/main.js', 0o755);
