import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fullVariable } from './sweep.ts';

/**
 * For the commands that run our tests against a program that a person names: what both of them
 * need.
 */

/** Tests that hold one of these words. */
export function listTests(words: RegExp): readonly string[] {
  return ['test/contracts', 'test/integration'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((path) => words.test(readFileSync(path, 'utf8')))
      .sort(),
  );
}

/** Builds what the tests start, and runs them; the exit code. */
export async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const built = await run(process.execPath, ['scripts/build.mjs'], env);
  const full = { ...env, [fullVariable]: '1' };
  return built === 0 ? run('npx', ['vitest', 'run', ...files], full) : built;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(resolve(path), constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be executed: either way the person named the wrong thing, and is told.
    return false;
  }
}

export function say(text: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((done) => child.on('close', (code) => done(code ?? 1)));
}
