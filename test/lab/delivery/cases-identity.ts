import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNestingMark } from '../../../src/agents/nesting-mark.ts';
import type { InboxList } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { Life, patienceMs } from '../life/life.ts';

/** Rule 52: an agent's own tools never speak as the user. */
export const identityCases: readonly Check[] = [
  {
    name: 'agents-word',
    promise:
      'rule 52: what the agent’s own shell tool sends is the agent’s, also with an emptied environment and in a terminal of its own making',
    hasOwnLife: true,
    run: async ({ lab, box }) => {
      const life = await Life.open(lab, box.program, { approvals: 'allow-shell' });
      try {
        await life.launch();
        await life.isReady(0);
        await life.box.ask(['agents', 'add', 'inbox']);
        const out = join(life.home.cwd, 'variables');
        const send = `SIGNALBOX_HOME=${life.box.state} PATH=$PATH ${process.execPath} ${life.box.program} send inbox`;
        const lines = [
          `env ${send} yes`,
          `env -i ${send} clean`,
          `script -qec "env -i ${send} pty" /dev/null`,
          `env > ${out}.new; mv ${out}.new ${out}`,
        ];
        const script = join(life.home.cwd, 'send.sh');
        writeFileSync(script, `${lines.join('\n')}\n`);
        await life.ask(`@@tool sh ${script} @@say sent`);
        await waitUntil('the end of its tool', () => existsSync(out), patienceMs);
        const { messages } = await life.box.ask<InboxList>(['inbox', 'list', 'inbox']);
        const sent = messages.map(({ body, from, standing }) => [body, from.name, standing]);
        const wanted = ['yes', 'clean', 'pty'].map((body) => [body, 'lab', 'notice']);
        must(JSON.stringify(sent) === JSON.stringify(wanted), `it sent ${JSON.stringify(sent)}`);
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
    },
  },
];

/** Kimi Code 2.1.0 sets no variable in what it starts; docs/security.md says what follows. */
const withoutMark: ReadonlySet<string> = new Set(['kimi']);
