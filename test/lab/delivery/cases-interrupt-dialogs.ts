import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { InterruptView } from '../../../src/protocol/interrupt.ts';
import { stripSequences } from '../../../src/shared/strip-sequences.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { isProcessing, type Life, patienceMs } from '../life/life.ts';
import type { CliName } from '../versions.ts';
import { pause, settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { createWord } from './post.ts';

/** By then it counts as working, and no question before it is too young. */
const workedMs = 5500;
const mostMs = 1500;
/** Half of the rounds come so near to the key of the round before. */
const nearMs = 150;
/** What a question needs until it is drawn, on a busy machine. */
const drawnMs = 3000;

/** The terminal keeps the key's time in whole seconds: only what is shown later than that is. */
const keyTimeMs = 1000;

const rounds: Readonly<Partial<Record<CliName, number>>> = { qwen: 20, gemini: 20 };
const usualRounds = 10;

/** Words of the permission for a command, as the CLI writes them, blanks left out. */
const questions: Readonly<Record<CliName, RegExp>> = {
  'claude-code': /Tabtoamend|Runshellcommand|1\.Yes/,
  codex: /Wouldyouliketorun/,
  copilot: /Doyouwantto/,
  gemini: /Allowexecution|ActionRequired/,
  kimi: /Approveonce|Runthiscommand/,
  opencode: /Permissionrequired|Allowonce/,
  qwen: /Allowexecution|Waitingforuser/,
};

/**
 * `before`: the turn was over before anything was drawn. `stands`: the question was there, nothing
 * was pressed, and it stands. `outlives`: the key came before, and the question stands all the
 * same. `late`: it was drawn behind the key for certain, and went with its turn. `answered`: it may
 * have been drawn before the key, which took it away.
 */
type Outcome = 'before' | 'stands' | 'outlives' | 'late' | 'answered' | 'refused';

interface Round {
  readonly outcome: Outcome;
  /** The question's answer of the model, after the moment just before the key. */
  readonly gapMs: number | undefined;
  /** When it stood in the log, after the second of the last key of ours. */
  readonly shownMs: number | undefined;
  /** The agent was told to wait for a person, whatever its screen showed. */
  readonly isTold: boolean;
  readonly said: string;
}

export const interruptDialogCases: readonly Check[] = [
  {
    name: 'stop-asking',
    promise:
      'rules 39, 45: while its model asks for a permission at any moment around `interrupt`, no question that was shown is answered',
    isLong: true,
    run: async (life) => {
      const all: Round[] = [];
      const count = Number(process.env['LAB_ROUNDS'] ?? rounds[life.lab.name] ?? usualRounds);
      let keyMs = mostMs / 2;
      for (let n = 0; n < count; n++) {
        const isNear = n % 2 === 1;
        const askMs = isNear
          ? Math.max(0, keyMs + nearMs * (2 * Math.random() - 1))
          : mostMs * Math.random();
        const { round, pressedMs } = await takeRound(life, Math.round(askMs));
        if (pressedMs !== undefined) keyMs = pressedMs;
        all.push(round);
        const { outcome, gapMs, shownMs, isTold, said } = round;
        const gap = gapMs === undefined ? '' : `, asked ${gapMs} ms after our look`;
        const shown =
          shownMs === undefined ? '' : `, shown ${shownMs} ms after the second of the key`;
        const told = isTold ? ', told' : '';
        say(life, `${n + 1}: ${outcome}${gap}${shown}${told} (${said})`);
      }
      const of = (wanted: Outcome): number =>
        all.filter(({ outcome }) => outcome === wanted).length;
      const parts = ['before', 'stands', 'outlives', 'late', 'refused', 'answered'] as const;
      say(life, parts.map((part) => `${part} ${of(part)}`).join(', '));
      must(of('answered') === 0, `${of('answered')} of ${count} questions were answered`);
      must(of('stands') > 0, 'no question was ever there in time: the rounds tell nothing');
      return undefined;
    },
  },
];

async function takeRound(
  life: Life,
  askMs: number,
): Promise<{ readonly round: Round; readonly pressedMs: number | undefined }> {
  await settles(life);
  const word = createWord();
  const file = `never-${word}.txt`;
  life.mock.teach(word, [
    { do: 'sleep', ms: workedMs + askMs },
    { do: 'tool', command: `touch ${file}` },
  ]);
  const printed = outputOf(life);
  const turn = await life.ask(`@@play ${word}`);
  // Asked again behind what broke it off, it says no more.
  life.mock.teach(word, [{ do: 'say', text: 'goes on' }]);
  await life.hears('work', isProcessing, turn.from);
  await pause(Math.max(0, turn.request.at + workedMs - Date.now()));
  const typedAt = Date.now();
  const watch = watchFor(questions[life.lab.name], printed);
  const tried = await life.box.tryAsUser<InterruptView & Refused>(['interrupt', 'lab']);
  await waitUntil('the end of the request', () => turn.request.outcome, patienceMs);
  await pause(drawnMs);
  const view = await life.show();
  const isAsking = view.status === 'waiting';
  const shownAt = watch.end();
  const wasShown = shownAt !== undefined;
  must(wasShown || !isAsking || view.composer !== 'hidden', 'its question is not known');
  const [row] = view.interruptions ?? [];
  const isMine = row !== undefined && Date.parse(row.at) >= typedAt;
  const wasPressed = isMine && (row.presses > 0 || row.way === 'api');
  const { outputAt } = turn.request;
  const gapMs = isMine && outputAt !== undefined ? outputAt - Date.parse(row.at) : undefined;
  const isTold = life.events.slice(turn.from).some(({ status }) => status === 'waiting');
  if (isAsking) {
    await life.hands.press(life.lab.denyKeys);
    await life.hears('the end of the question', ({ status }) => status !== 'waiting', turn.from);
  }
  await new Person(life).empties();
  must(!existsSync(join(life.home.cwd, file)), 'the command ran');
  const keyAt = wasPressed && view.humanTypedAt ? Date.parse(view.humanTypedAt) : undefined;
  const shownMs = keyAt !== undefined && wasShown ? shownAt - keyAt : undefined;
  const outcome = judge({ isAsking, wasShown, wasPressed, isLate: (shownMs ?? 0) >= keyTimeMs });
  const said = tried.code === 0 ? 'ended' : (tried.document.error?.message ?? `${tried.code}`);
  return {
    round: { outcome, gapMs, shownMs, isTold, said },
    pressedMs: isMine ? Date.parse(row.at) - turn.request.at - workedMs : undefined,
  };
}

interface Refused {
  readonly error?: { readonly message: string };
}

function judge(seen: {
  readonly isAsking: boolean;
  readonly wasShown: boolean;
  readonly wasPressed: boolean;
  readonly isLate: boolean;
}): Outcome {
  if (seen.isAsking) return seen.wasPressed ? 'outlives' : 'stands';
  if (seen.wasShown) return seen.isLate ? 'late' : 'answered';
  return seen.wasPressed ? 'before' : 'refused';
}

/** When it first stands there; looked for every 25 ms. */
function watchFor(pattern: RegExp, printed: () => string): { end(): number | undefined } {
  let shownAt: number | undefined;
  const look = (): void => {
    if (shownAt === undefined && pattern.test(printed().replace(/\s+/g, ''))) shownAt = Date.now();
  };
  const timer = setInterval(look, 25);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return shownAt;
    },
  };
}

/** All that its program has printed since; what is drawn for one frame alone stands there, too. */
function outputOf({ box, agent }: Life): () => string {
  const path = join(box.state, 'logs', 'agents', `${agent.id}.log`);
  const start = existsSync(path) ? statSync(path).size : 0;
  return () => {
    const all = readFileSync(path);
    // A full log is begun anew.
    return stripSequences(all.subarray(all.length < start ? 0 : start).toString());
  };
}

function say({ lab }: Life, what: string): void {
  process.stdout.write(`${lab.name}  ${what}\n`);
}
