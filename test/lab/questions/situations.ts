import { setTimeout as delay } from 'node:timers/promises';
import type { CliQuestion, Decided, Decision } from '../../../src/providers/questions.ts';
import { cases } from '../cases/list.ts';
import type { AnswersCase, Kind } from './kinds.ts';
import type { LabQuestions } from './lab-questions.ts';

export interface Asked {
  readonly lab: LabQuestions;
  readonly cli: AnswersCase;
  readonly kind: Kind;
  readonly question: CliQuestion;
}

/**
 * What can happen to a question; each gives in words what was seen, and throws where it may not be
 * so.
 */
export const situations: Readonly<Record<string, (asked: Asked) => Promise<string>>> = {
  allowed: async (asked) => {
    const decided = await decide(asked, 'allow');
    await settles(asked);
    must(isDone(asked), 'it was not done');
    return `${decided.outcome}, done`;
  },
  denied: async (asked) => {
    const decided = await decide(asked, 'deny');
    await settles(asked);
    must(!isDone(asked), 'it was done');
    return `${decided.outcome}, not done`;
  },
  'after a restart of the daemon': async (asked) => {
    asked.lab.reopen();
    const [again] = await asked.lab.asked();
    must(again.key === asked.question.key, `its key was ${again.key}`);
    must(again.text === asked.question.text, `its text was ${again.text}`);
    const decided = await decide({ ...asked, question: again }, 'allow');
    await settles(asked);
    must(isDone(asked), 'it was not done');
    return `the same question; ${decided.outcome}, done`;
  },
  twice: async (asked) => {
    const both = [send(asked, 'deny'), send(asked, 'allow')];
    const [first, second] = (await Promise.all(both)).map(({ outcome }) => outcome);
    await settles(asked);
    const third = await send(asked, 'allow');
    must(!isDone(asked), 'it was done');
    must(third.outcome === 'gone', `a third was ${third.outcome}`);
    return `deny ${first}, allow ${second}, later ${third.outcome}; not done`;
  },
  'a wrong id': async (asked) => {
    const decided = await asked.lab.channel.decide('none of these', 'allow', signal());
    must(decided.outcome === 'gone', `it was ${decided.outcome}`);
    await delay(1000);
    must(await isShown(asked), 'the dialog went away');
    must(!isDone(asked), 'it was done');
    return 'gone; the dialog stays';
  },
  'answered Yes at the terminal': async (asked) => {
    await asked.lab.life.terminal.keys('Enter');
    await asked.lab.until('it done', () => isDone(asked));
    await asked.lab.until('it closed', () => asked.lab.channel.open.length === 0);
    const decided = await send(asked, 'deny');
    must(decided.outcome === 'gone', `it was ${decided.outcome}`);
    return 'closed; a deny after it gone';
  },
  'answered Esc at the terminal': async (asked) => {
    const { lab, cli } = asked;
    await lab.life.terminal.keys(...cases[cli.cli].denyKeys);
    await lab.until('no dialog', async () => !(await isShown(asked)));
    await delay(1500);
    const isListed = lab.channel.open.length > 0;
    const decided = await send(asked, 'allow');
    must(decided.outcome === 'gone', `it was ${decided.outcome}`);
    await delay(1500);
    must(!isDone(asked), 'it was done');
    must(lab.channel.open.length === 0, 'it is still listed');
    return `${isListed ? 'still listed' : 'closed'}; an allow after it gone, not done`;
  },
  'killed while asked': async (asked) => {
    asked.lab.signal('SIGKILL');
    await delay(1000);
    const decided = await send(asked, 'allow');
    must(decided.outcome !== 'taken', 'it was taken');
    must(!isDone(asked), 'it was done');
    return `${decided.outcome}, not done`;
  },
  'killed after it was sent': async (asked) => {
    asked.lab.signal('SIGSTOP');
    // Each of its threads stops at its next step only.
    await delay(500);
    const sending = send(asked, 'allow');
    await delay(500);
    asked.lab.signal('SIGKILL');
    const decided = await sending;
    must(decided.outcome === 'unknown', `it was ${decided.outcome}`);
    must(!isDone(asked), 'it was done');
    return `${decided.outcome}, not done`;
  },
};

async function decide(asked: Asked, decision: Decision): Promise<Decided> {
  const decided = await send(asked, decision);
  must(decided.outcome === 'taken', `it was ${JSON.stringify(decided)}`);
  return decided;
}

async function send({ lab, question }: Asked, decision: Decision): Promise<Decided> {
  return await lab.channel.decide(question.key, decision, signal());
}

/** The dialog is gone, nothing is asked any more, and the turn is over. */
async function settles(asked: Asked): Promise<void> {
  const { lab } = asked;
  await lab.until('no dialog', async () => !(await isShown(asked)));
  await lab.until('it closed', () => lab.channel.open.length === 0);
  await lab.life.terminal.settled(1500);
}

async function isShown({ lab, cli }: Asked): Promise<boolean> {
  return cli.dialog.test((await lab.life.terminal.capture()).text);
}

function isDone({ lab, kind }: Asked): boolean {
  return kind.isDone(lab);
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
