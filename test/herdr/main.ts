import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeHerdrScript } from '../fakes/herdr/start.ts';
import { isProgram, listTests, runTests, say } from '../support/real-program.ts';

const usage = `HERDR_BIN=/path/to/herdr npm run test:herdr [-- --fake] [--list]

Runs every test that a real herdr can run, each with a server and folders of its
own; your own sessions are not touched. At the end it names what was left out.

  --fake   the fake of test/fakes/herdr in place of a real one: tries this command
  --list   prints the files and runs nothing

Then, with the real CLIs (npm run lab:install first):
  HERDR_BIN=/path/to/herdr npm run lab:delivery -- claude-code codex --terminal herdr
`;

/**
 * By these words a test opens a herdr; what needs trouble on demand, or another version, leaves
 * itself out.
 */
const openers =
  /\b(openHerdr|measured|withHerdr|withSavingHerdr|backendContract|herdrPlaces|inEveryPlace|eachBackend)\b/;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { fake: { type: 'boolean' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return say(usage, 0);
  const files = listTests(openers);
  if (values.list) return say(`${files.join('\n')}\n`, 0);
  const folder = mkdtempSync(join(tmpdir(), 'real-herdr-'));
  try {
    const bin = values.fake ? writeHerdrScript(folder) : process.env['HERDR_BIN'];
    if (bin === undefined || !isProgram(bin)) {
      const why = bin === undefined ? 'HERDR_BIN is not set' : `${bin} is not a program`;
      return say(`${why}: there is no herdr to test.\n\n${usage}`, 2);
    }
    say(`herdr: ${describe(bin, values.fake === true)}\n`, 0);
    return await runTests(files, { HERDR_BIN: resolve(bin) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe(bin: string, isFake: boolean): string {
  if (isFake) return 'the fake of test/fakes/herdr';
  const { stdout } = spawnSync(bin, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return `${bin}, ${(stdout ?? '').trim() || 'which does not say its version'}`;
}
