import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { type Exposure, judgeOwn, judgeSocket, walkPath } from './own-path.ts';

const nobody = 65_534;
/** Only root can make something that belongs to somebody else. */
const canGive = process.geteuid?.() === 0;

/** `a/b/state`, each 0700 and ours, in a folder of /tmp. */
function make(): { top: string; a: string; b: string; state: string } {
  const top = tempHome();
  const [a, b, state] = [join(top, 'a'), join(top, 'a', 'b'), join(top, 'a', 'b', 'state')];
  for (const path of [a, b, state]) mkdirSync(path, { mode: 0o700 });
  return { top, a, b, state };
}

function judge(path: string): readonly Exposure[] {
  const { real, entry, exposures } = walkPath(path);
  return entry ? [...exposures, ...judgeOwn(real, entry, 'folder')] : exposures;
}

const commands = (found: readonly Exposure[]) => found.map(({ mend }) => mend?.command);

test('a folder of ours below a sticky one of the system, such as /tmp, is ours', () => {
  const { state } = make();
  expect(judge(state)).toEqual([]);
  expect(judge(join(state, 'not', 'there'))).toEqual([]);
});

test.each([0o777, 0o770, 0o755, 0o711, 0o701, 0o2770])(
  'a state folder of mode %o is open to others, with the chmod that closes it',
  (mode) => {
    const { state } = make();
    chmodSync(state, mode);
    expect(commands(judge(state))).toEqual([`chmod 700 ${state}`]);
  },
);

test('a folder above that others can change is refused, however far above; a sticky one is not', () => {
  const { a, b, state } = make();
  for (const path of [b, a]) {
    chmodSync(path, 0o777);
    expect(commands(judge(state))).toEqual([`chmod go-w ${path}`]);
    chmodSync(path, 0o1777);
    expect(judge(state)).toEqual([]);
    chmodSync(path, 0o755);
    expect(judge(state)).toEqual([]);
  }
  expect(commands(judge(join(b, "it's", 'new')))).toEqual([]);
});

test('links are followed, and every real folder on the way is judged', () => {
  const { top, a, b, state } = make();
  symlinkSync(state, join(top, 'link'));
  symlinkSync('link', join(top, 'second'));
  symlinkSync('../a/b', join(a, 'back'));
  expect(walkPath(join(top, 'second'))).toMatchObject({ real: state, exposures: [] });
  expect(walkPath(join(a, 'back', 'state'))).toMatchObject({ real: state, exposures: [] });
  chmodSync(b, 0o777);
  expect(judge(join(top, 'second')).map(({ path }) => path)).toEqual([b]);
  chmodSync(b, 0o700);
  // It lies in a folder that others can change: they could point it elsewhere.
  const open = join(top, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  symlinkSync(state, join(open, 'link'));
  expect(judge(join(open, 'link')).map(({ path }) => path)).toEqual([open]);
  symlinkSync('round', join(top, 'round'));
  expect(judge(join(top, 'round'))).toMatchObject([{ why: 'is one of too many links' }]);
});

test('a socket is a socket, of ours, closed, in a closed folder; one that is not there is nobody else’s', async () => {
  const { top, state } = make();
  const path = join(state, 'x.sock');
  expect(judgeSocket(path)).toEqual([]);
  const server = createServer();
  await new Promise<void>((done) => server.listen(path, done));
  onTestFinished(() => void server.close());
  chmodSync(path, 0o666);
  expect(commands(judgeSocket(path))).toEqual([`chmod 600 ${path}`]);
  chmodSync(path, 0o600);
  expect(judgeSocket(path)).toEqual([]);
  const link = join(state, 'link.sock');
  symlinkSync(path, link);
  expect(judgeSocket(link)).toMatchObject([{ path: link, why: 'is not a socket' }]);
  symlinkSync(state, join(top, 'short'));
  expect(judgeSocket(join(top, 'short', 'x.sock'))).toEqual([]);
  chmodSync(state, 0o711);
  expect(commands(judgeSocket(path))).toEqual([`chmod 700 ${state}`]);
});

describe.runIf(canGive)(
  'what belongs to another user (left out for those who are not root)',
  () => {
    test('a state folder, a folder above, sticky or not, and a link: none is believed, and no chmod helps', () => {
      const { a, b, state, top } = make();
      const foreign = `belongs to another user (uid ${nobody})`;
      for (const path of [state, b, a]) {
        chownSync(path, nobody, nobody);
        for (const mode of [0o700, 0o755, 0o1777]) {
          chmodSync(path, mode);
          expect(judge(state)).toMatchObject([{ path, why: expect.stringContaining(foreign) }]);
          expect(commands(judge(state))).toEqual([undefined]);
        }
        chownSync(path, 0, 0);
        chmodSync(path, 0o700);
      }
      symlinkSync(state, join(top, 'link'));
      lchownSync(join(top, 'link'), nobody, nobody);
      expect(judge(join(top, 'link'))).toMatchObject([{ path: join(top, 'link'), why: foreign }]);
    });

    test('a folder above that a group of others can change is refused; our own private group is nobody else', () => {
      const { b, state } = make();
      chmodSync(b, 0o775);
      expect(judge(state)).toEqual([]);
      chownSync(b, 0, nobody);
      chmodSync(b, 0o775);
      expect(commands(judge(state))).toEqual([`chmod go-w ${b}`]);
      expect(lstatSync(b).gid).toBe(nobody);
    });

    test('a file and a socket of another user can be removed; a folder is not', () => {
      const { state } = make();
      chownSync(state, nobody, nobody);
      const entry = lstatSync(state);
      expect(commands(judgeOwn(state, entry, 'folder'))).toEqual([undefined]);
      expect(commands(judgeOwn(state, entry, 'file'))).toEqual([undefined]);
    });
  },
);
