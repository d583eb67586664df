import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { isZombie } from '../../shared/processes.ts';
import { clearBehind } from './clear-behind.ts';

const conversation = '5b1f8f3e-0000-4000-8000-000000000000';

test('rule 37: the note of a zombie is taken away, and no other: not of one that lives, nor of one that is gone', async () => {
  const { env, folder } = await conversationFolder();
  const zombie = await beginZombie();
  const gone = spawn('true');
  await once(gone, 'exit');
  const notes = [zombie, process.pid, Number(gone.pid)].flatMap((pid) => [
    `inuse.${pid}.hold`,
    `inuse.${pid}.lock`,
  ]);
  for (const name of [...notes, 'events.jsonl', `inuse.${zombie}.txt`]) {
    await writeFile(join(folder, name), 'x');
  }

  await clearBehind(conversation, env);

  const left = await readdir(folder);
  expect(left.sort()).toEqual(
    [...notes.slice(2), 'events.jsonl', `inuse.${zombie}.txt`].sort((a, b) => (a < b ? -1 : 1)),
  );
});

test('a note that cannot be removed is no reason not to start', async () => {
  const { env, folder } = await conversationFolder();
  // A folder of that name: it cannot be removed like a file.
  await mkdir(join(folder, `inuse.${await beginZombie()}.lock`));
  await clearBehind(conversation, env);
  expect(await readdir(folder)).toHaveLength(1);
});

test('a conversation without a folder is passed over, and an id that is a path leads nowhere', async () => {
  const { env, folder } = await conversationFolder();
  const note = `inuse.${await beginZombie()}.lock`;
  // Where the path would lead, and in another conversation.
  const outside = join(folder, '..', '..', '..');
  for (const place of [outside, folder]) await writeFile(join(place, note), 'x');

  await clearBehind('another', env);
  await clearBehind('../..', env);

  expect(await readdir(outside)).toContain(note);
  expect(await readdir(folder)).toEqual([note]);
});

async function conversationFolder(): Promise<{ env: Record<string, string>; folder: string }> {
  const home = await mkdtemp(join(tmpdir(), 'signalbox-copilot-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, '.copilot', 'session-state', conversation);
  await mkdir(folder, { recursive: true });
  return { env: { HOME: home }, folder };
}

/** The shell becomes a program that never asks after its children; only then the child ends. */
async function beginZombie(): Promise<number> {
  const script = 'sleep 60 & echo $!; exec "$0" -e "console.log(0); setInterval(() => {}, 60_000)"';
  const parent = spawn('sh', ['-c', script, process.execPath], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const lines = createInterface(parent.stdout)[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  await lines.next();
  process.kill(pid, 'SIGKILL');
  await waitUntil('its end', () => isZombie(pid));
  return pid;
}
