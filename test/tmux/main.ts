import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isProgram, listTests, runTests, say } from '../support/real-program.ts';

const usage = `TMUX_BIN=/path/to/tmux npm run test:tmux [-- --list]

Runs every test that opens terminals in tmux with the tmux that you name, each
with a server and folders of its own; your own sessions are not touched. At the
end it names what was left out.

  --list   prints the files and runs nothing
`;

/** By these words a test opens a tmux. */
const openers =
  /\b(openTmuxWorld|TmuxWorld|openStation|backendContract|eachBackend|inEveryPlace|hasTmux)\b/;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return say(usage, 0);
  const files = listTests(openers);
  if (values.list) return say(`${files.join('\n')}\n`, 0);
  const bin = process.env['TMUX_BIN'];
  if (bin === undefined || !isProgram(bin)) {
    const why = bin === undefined ? 'TMUX_BIN is not set' : `${bin} is not a program`;
    return say(`${why}: there is no tmux to test.\n\n${usage}`, 2);
  }
  const folder = mkdtempSync(join(tmpdir(), 'other-tmux-'));
  try {
    // Found before any other, by us and by the tests' own hands.
    symlinkSync(resolve(bin), join(folder, 'tmux'));
    const { stdout } = spawnSync(bin, ['-V'], { encoding: 'utf8', timeout: 10_000 });
    say(`tmux: ${bin}, ${(stdout ?? '').trim() || 'which does not say its version'}\n`, 0);
    return await runTests(files, { PATH: `${folder}:${process.env['PATH'] ?? ''}` });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
