import { existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNestingMark } from '../../../src/agents/nesting-mark.ts';
import type { InboxList } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { Life, patienceMs } from '../life/life.ts';

/** Rule 52: an agent's own tools never speak as the user. */
export const identityCases: readonly Check[] = [
  {
    name: 'agents-word',
    promise:
      'rule 52: what the agent’s own shell tool sends is the agent’s, also with an emptied environment and in a terminal of its own making',
    hasOwnLife: true,
    run: (life) => speaks(life, {}),
  },
  {
    name: 'boxed-word',
    promise: 'rule 52: so is what it sends from a sandbox that may use the network',
    hasOwnLife: true,
    run: async (life) => {
      if (life.lab.name !== 'codex') throw new CannotBe('the lab has no sandbox of its own for it');
      return speaks(life, { sandbox: 'network' });
    },
  },
];

async function speaks({ lab, box }: Life, wish: Partial<HomeWish>): Promise<undefined> {
  const life = await Life.open(lab, box.program, { approvals: 'allow-shell', ...wish });
  try {
    await life.launch();
    await life.isReady(0);
    await life.box.ask(['agents', 'add', 'inbox']);
    const out = join(life.home.cwd, 'variables');
    const send = `SIGNALBOX_HOME=${life.box.state} PATH=$PATH ${process.execPath} ${life.box.program} send inbox`;
    const space = join(life.home.cwd, 'space');
    const raw = join(life.home.cwd, 'raw.cjs');
    writeFileSync(raw, askBare(life.box.daemon.socket ?? ''));
    const said = join(life.home.cwd, 'said');
    const lines = [
      `exec > ${said} 2>&1`,
      `env ${send} yes`,
      `env -i ${send} clean`,
      `script -qec "env -i ${send} pty" /dev/null`,
      `env -i ${process.execPath} ${raw}`,
      `readlink /proc/self/ns/mnt > ${space}`,
      `env > ${out}.new; mv ${out}.new ${out}`,
    ];
    const script = join(life.home.cwd, 'send.sh');
    writeFileSync(script, `${lines.join('\n')}\n`);
    await life.ask(`@@tool sh ${script} @@say sent`);
    await waitUntil('the end of its tool', () => existsSync(out), patienceMs);
    const { messages } = await life.box.ask<InboxList>(['inbox', 'list', 'inbox']);
    const sent = messages.map(({ body, from, standing }) => [body, from.name, standing]);
    const wanted = [
      ...['yes', 'clean', 'pty'].map((body) => [body, 'lab', 'notice']),
      ['bare', 'user', 'notice'],
    ];
    must(
      JSON.stringify(sent) === JSON.stringify(wanted),
      `it sent ${JSON.stringify(sent)}: ${readFileSync(said, 'utf8')}`,
    );
    const isBoxed = wish.sandbox !== undefined;
    // Codex 0.166.0 makes its sandbox with namespaces.
    const { pid } = await life.rootProcess();
    const isOutside = readFileSync(space, 'utf8').trim() === readlinkSync(`/proc/${pid}/ns/mnt`);
    must(isOutside !== isBoxed, `it ran ${isOutside ? 'outside of a' : 'in a'} sandbox`);
    const variables = readFileSync(out, 'utf8')
      .split('\n')
      .map((line) => line.split('='));
    const mark = findNestingMark(Object.fromEntries(variables));
    const isMarked = mark !== undefined;
    must(isMarked !== withoutMark.has(lab.name), `its shell is marked by ${mark}`);
  } finally {
    await life.close();
  }
  return undefined;
}

/** A request to the daemon by no command of ours, with no token: a script's (rule 52). */
function askBare(socketPath: string): string {
  const asked = { socketPath, method: 'POST', path: '/messages' };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ to: 'inbox', body: 'bare' });
  return `require('node:http')
  .request(${JSON.stringify({ ...asked, headers })}, (answer) => answer.pipe(process.stdout))
  .end(${JSON.stringify(body)});
`;
}

/** Kimi Code 2.1.0 sets no variable in what it starts; docs/security.md says what follows. */
const withoutMark: ReadonlySet<string> = new Set(['kimi']);
