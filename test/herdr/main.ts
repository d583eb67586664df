import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeHerdrScript } from '../fakes/herdr/start.ts';

const usage = `HERDR_BIN=/path/to/herdr npm run test:herdr [-- --fake] [--list]

Runs every test that a real herdr can run, each with a server and folders of its
own; your own sessions are not touched. At the end it names what was left out.

  --fake   the fake of test/fakes/herdr in place of a real one: tries this command
  --list   prints the files and runs nothing

Then, with the real CLIs (npm run lab:install first):
  HERDR_BIN=/path/to/herdr npm run lab:delivery -- claude-code codex --terminal herdr
`;

/** By these words a test opens a herdr. */
const openers =
  /\b(openHerdr|measured|withHerdr|withSavingHerdr|backendContract|herdrPlaces|inEveryPlace|eachBackend)\b/;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { fake: { type: 'boolean' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return say(usage, 0);
  const files = listFiles();
  if (values.list) return say(`${files.join('\n')}\n`, 0);
  const folder = mkdtempSync(join(tmpdir(), 'real-herdr-'));
  try {
    const bin = values.fake ? writeHerdrScript(folder) : process.env['HERDR_BIN'];
    if (bin === undefined || !isProgram(bin)) {
      const why = bin === undefined ? 'HERDR_BIN is not set' : `${bin} is not a program`;
      return say(`${why}: there is no herdr to test.\n\n${usage}`, 2);
    }
    say(`herdr: ${describe(bin, values.fake === true)}\n`, 0);
    const built = await run(process.execPath, ['scripts/build.mjs'], bin);
    return built === 0 ? await run('npx', ['vitest', 'run', ...files], bin) : built;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whatever opens a herdr runs with a real one; what needs trouble on demand, or another version, leaves itself out. */
function listFiles(): readonly string[] {
  return ['test/contracts', 'test/integration'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((path) => openers.test(readFileSync(path, 'utf8')))
      .sort(),
  );
}

function describe(bin: string, isFake: boolean): string {
  if (isFake) return 'the fake of test/fakes/herdr';
  const { stdout } = spawnSync(bin, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return `${bin}, ${(stdout ?? '').trim() || 'which does not say its version'}`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(resolve(path), constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be executed: either way the person named the wrong thing, and is told.
    return false;
  }
}

function run(program: string, args: readonly string[], bin: string): Promise<number> {
  const env = { ...process.env, HERDR_BIN: resolve(bin) };
  const child = spawn(program, args, { stdio: 'inherit', env });
  return new Promise((done) => child.on('close', (code) => done(code ?? 1)));
}

function say(text: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
}
