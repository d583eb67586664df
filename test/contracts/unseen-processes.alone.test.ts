import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endTree, listTree } from '../../src/shared/process-tree.ts';
import { ManualClock } from '../fakes/manual-clock.ts';

let marks = 0;
const broken = vi.hoisted(() => ({ pattern: /^$/, code: '' }));

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs')>();
  const readFileSync = (path: string, ...more: unknown[]): unknown => {
    if (!broken.pattern.test(String(path)))
      return Reflect.apply(original.readFileSync, undefined, [path, ...more]);
    throw Object.assign(new Error(`${broken.code}: ${path}`), { code: broken.code });
  };
  return { ...original, readFileSync };
});

/** A process that carries a mark, of which one file of the system's cannot be read. */
async function open() {
  const mark = `SIGNALBOX_TREE_TEST=${process.pid}-${++marks}`;
  const [name = '', value = ''] = mark.split('=');
  const child = spawn('sleep', ['600'], { env: { ...process.env, [name]: value } });
  onTestFinished(() => {
    Object.assign(broken, { pattern: /^$/ });
    child.kill('SIGKILL');
  });
  await once(child, 'spawn');
  const find = () => listTree(undefined, [mark]);
  const fail = (file: string, code: string): void =>
    void Object.assign(broken, { pattern: new RegExp(`^/proc/${child.pid}/${file}$`), code });
  return { pid: child.pid, find, fail };
}

test.runIf(process.platform === 'linux').each([
  ['stat', 'EMFILE'],
  ['environ', 'ENFILE'],
])(
  'rule 41: a process whose %s cannot be read for want of a file descriptor (%s) has not ended',
  async (file, code) => {
    const { pid, find, fail } = await open();
    expect(find()).toMatchObject([{ pid }]);
    fail(file, code);
    expect(find).toThrow(code);
    await expect(endTree(find, new ManualClock(), 100)).rejects.toThrow(code);
  },
);

test.runIf(process.platform === 'linux').each(['ENOENT', 'ESRCH', 'EACCES'])(
  'one that has ended (%s), or lets nobody look, is passed over',
  async (code) => {
    const { find, fail } = await open();
    fail('environ', code);
    expect(find()).toEqual([]);
  },
);
