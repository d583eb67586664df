import { isUser, signalbox, userAgentId } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Message } from '../messages/message.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { type Cause, judgeAgent } from './cause.ts';
import type { Sight } from './remember.ts';

const unreadStates = ['queued', 'uncertain'] as const;
/** Of one look; whoever has more unread than that is told of the rest in the next one. */
const mailLimit = { limit: 50, bytes: 1024 * 1024 } as const;

export interface LookParts {
  readonly ledger: Ledger;
  readonly fleet: Pick<Fleet, 'live'>;
}

interface Looked extends Sight {
  /** Up to this message nothing is left to tell. */
  readonly mail: number;
}

/** What needs a person now. `mail` is the last message to the user that was told. */
export function look({ ledger, fleet }: LookParts, mail: number): Promise<Looked> {
  return ledger.read(async (tx) => {
    const unseen = new Set<string>();
    const causes: Cause[] = [];
    const agents = await tx.agents.list();
    for (const agent of agents) {
      const { id, epoch } = agent;
      if (isUser(agent) || agent.backend === 'none') continue;
      const live = fleet.live(id);
      // The ledger has what was last known, without the question, and that may be old.
      if (!live || live.status === 'unknown') {
        if (agent.status !== 'exited') unseen.add(id);
        continue;
      }
      const name = callName(agent);
      const cause = judgeAgent({ id, name, epoch, ...live, typedAt: live.humanTypedAt });
      if (cause) causes.push(cause);
    }
    const found = await listMail(tx, mail);
    return { causes: [...causes, ...found.causes], unseen, mail: found.passed };
  });
}

/** Where the user's unread mail ends now: what lay there before the first daemon is no news. */
export async function findMailEnd({ ledger }: Pick<LookParts, 'ledger'>): Promise<number> {
  for (let afterSeq = 0; ; ) {
    const query = { to: userAgentId, states: unreadStates, afterSeq, limit: 1000 };
    const page = await ledger.read((tx) => tx.messages.list({ ...query, bytes: mailLimit.bytes }));
    const last = page.at(-1);
    if (!last) return afterSeq;
    afterSeq = last.seq;
  }
}

/** What is no news is passed over for good: behind it nothing else would ever be found. */
async function listMail(
  tx: LedgerTransaction,
  afterSeq: number,
): Promise<{ readonly causes: readonly Cause[]; readonly passed: number }> {
  for (let passed = afterSeq; ; ) {
    const query = { to: userAgentId, states: unreadStates, afterSeq: passed, ...mailLimit };
    const page = await tx.messages.list(query);
    const mail = page.filter(isNews);
    const last = page.at(-1);
    if (last && mail.length === 0) {
      passed = last.seq;
      continue;
    }
    const names = await tx.agents.listNames(mail.map(({ from }) => from));
    const causes = mail.map((message) =>
      describeMail(message, callName(names.get(message.from) ?? { name: message.from })),
    );
    return { causes, passed };
  }
}

/**
 * Notices are about what is told already, and a completion of a turn that waits is about a question
 * that is; what the user wrote to itself is none either.
 */
function isNews({ kind, outcome, from }: Message): boolean {
  const isTold = kind === 'notice' || (kind === 'completion' && outcome === 'waiting');
  return !isTold && from !== userAgentId;
}

function describeMail({ id, seq, from, body, createdAt }: Message, name: string): Cause {
  const [text = ''] = body.trimStart().split('\n', 1);
  return {
    kind: 'unread',
    agent: { id: from, name: from === signalbox.id ? signalbox.name : name },
    epoch: 0,
    since: createdAt,
    text: text.slice(0, 500),
    isKnown: true,
    next: 'signalbox inbox drain',
    message: { id, seq },
  };
}
