import { toNewMessage } from '../../../src/messages/message-store.ts';
import { writePrompt } from '../../../src/messages/prompt.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { isProcessing, type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { CliName } from '../versions.ts';
import { type Canaries, plantCanaries } from './canary.ts';
import { allow, isDrawn, pause, settles } from './cases-usual.ts';
import { findCanary, judgeWords } from './judge-words.ts';
import { Person } from './person.ts';
import { createWord, Post } from './post.ts';
import { cutChannel } from './standing-channels.ts';
import { traits } from './traits.ts';

/**
 * Rule 51f: what a CLI's composer or prompt acts on (`@path`, `/command`, `!cmd`, `$skill`, `exit`,
 * a last backslash, hidden characters), in the words of another agent, by each route. By the bytes
 * of the model's requests its words arrive, and no file's contents with them; nothing runs, nothing
 * ends, no question is asked.
 */
export const syntaxCases: readonly Check[] = [
  {
    name: 'syntax-idle',
    promise: 'rule 51f: a CLI’s own syntax in a message to an idle agent is words alone',
    hasOwnAgent: true,
    run: (life) =>
      watches(life, async (scene) => {
        await scene.sends(scene.canaries.naming, { route: traits[life.lab.name].idle });
        for (const text of scene.canaries.alone) await scene.sends(text);
      }),
  },
  {
    name: 'syntax-busy',
    promise: 'rule 51f: in one that comes while the agent answers, too',
    hasOwnAgent: true,
    run: (life) =>
      watches(life, async (scene) => {
        for (const text of [scene.canaries.naming, ...atBoundary]) {
          const turn = await life.ask('@@sleep 4 @@say a slow answer');
          await life.hears('processing', isProcessing, turn.from);
          await scene.sends(text, { route: traits[life.lab.name].busy });
          await settles(life);
        }
      }),
  },
  {
    name: 'syntax-tool',
    promise: 'rule 51f: in an urgent one that comes while a tool of the agent runs, too',
    hasOwnAgent: true,
    run: (life) =>
      watches(life, async (scene) => {
        const from = life.events.length;
        await life.ask(`@@tool ${slowTool} @@say after the tool`);
        await life.hears('waiting', ({ status }) => status === 'waiting', from);
        await isDrawn(life);
        await allow(life);
        await scene.sends(scene.canaries.naming, { isDuringTool: true });
      }),
  },
  {
    name: 'syntax-beside',
    promise: 'rule 51f: in one that waits beside a prompt of the person that names a file, too',
    hasOwnAgent: true,
    run: (life) =>
      watches(life, async (scene) => {
        const turn = await life.ask('@@sleep 6 @@say a slow answer');
        await life.hears('processing', isProcessing, turn.from);
        await life.hands.submit('the person asks for @beside.txt and (@beside.txt)');
        await scene.sends(scene.canaries.naming);
      }),
  },
  {
    name: 'syntax-paste',
    promise: 'rule 51f: in one that a paste carries because the agent’s own channel is gone, too',
    hasOwnAgent: true,
    run: (life) =>
      watches(life, async (scene) => {
        if (life.lab.name !== 'copilot') throw new CannotBe('no paste stands in for its channel');
        await cutChannel(life);
        await scene.sends(scene.canaries.naming, { route: 'paste' });
        for (const text of scene.canaries.alone) await scene.sends(text);
      }),
  },
  {
    name: 'syntax-prompt',
    promise:
      'rule 51f: what the user wrote, as our prompt, pasted into an empty composer and sent with Enter, arrives exactly',
    hasOwnAgent: true,
    run: (life) =>
      watches(life, async () => {
        if (!pasted.has(life.lab.name)) throw new CannotBe('no prompt is pasted into it');
        for (const text of nasty) await isPrompt(life, asPrompt(text));
      }),
  },
];

/** Into these the user's prompts are pasted. */
const pasted: ReadonlySet<CliName> = new Set(['claude-code', 'gemini', 'kimi', 'copilot']);

/** What the composers of CLIs act on, hide, swallow or change. */
const nasty = [
  ...[
    'exit',
    ':q',
    '/clear',
    '/nosuchcommand',
    '!touch ran-6.txt',
    '# note',
    '?',
    'last \\',
    '\\ \n',
  ],
  ...[
    'x\u202ey',
    '\u200b/clear',
    '\u2060!touch ran-7.txt',
    'a\x1b[201~\nexit',
    'a\r\nb\rc',
    'x\n\n\ny',
  ],
  ...['one\ttwo', 'e\u0301 apart', '👩‍👧 ❤️ 1️⃣', 'می‌خواهم क्‍ष', '\u00a0x\u3000y', 'line\n'.repeat(60)],
];

function asPrompt(body: string): string {
  const row = { kind: 'message', from: 'agt_user', to: 'agt_lab', body } as const;
  const created = { id: 'msg_1', state: 'queued', createdAt: 0, cause: 'accepted' } as const;
  const message = toNewMessage({ ...row, ...created }, 1);
  return writePrompt('mark_lab', [message], { at: 0, isOld: () => false, nameOf: (id) => id }).text;
}

/**
 * Of a paste Claude Code 2.1.325 makes composed characters (NFC) and four blanks of a tab, and
 * changes nothing else: the joiners of emoji, Persian and Hindi stay.
 */
function asSubmitted(text: string): string {
  return text.normalize('NFC').replaceAll('\t', '    ');
}

/** A person's pause before Enter: it waits for no sight of a text that may stand there folded. */
async function isPrompt(life: Life, text: string): Promise<void> {
  const before = life.mock.requests.length;
  await life.hands.write(text);
  await pause(1000);
  await life.hands.press(['Enter']);
  // Some put blocks of their own into the same string: lastUserText is without them.
  const isIt = ({ n, isSide, lastUserText }: LoggedRequest): boolean =>
    n > before && !isSide && asSubmitted(text) === asSubmitted(lastUserText);
  await life.mock.waitFor(isIt, 20_000).catch(() => {
    const { lastUserText = '' } =
      life.mock.requests.slice(before).findLast((one) => !one.isSide) ?? {};
    throw new Error(`not the prompt ${JSON.stringify(text)}: ${JSON.stringify(lastUserText)}`);
  });
  await settles(life);
}

/** Each in a turn of its own: what such texts do alone is tried at rest. */
const atBoundary = ['exit', '/clear', '@canary.txt'];

/** A plain `sleep` is blocked by Qwen Code 0.24.4. */
const slowTool = `node -e "setTimeout(function(){},4000)"`;

interface How {
  readonly route?: string;
  /** Sent as urgent. The tool's own question may still be told of. */
  readonly isDuringTool?: true;
}

interface Scene {
  readonly canaries: Canaries;
  /** Sends it, and waits until the model has got its words, by that route. */
  sends(text: string, how?: How): Promise<void>;
}

const planted = new WeakMap<Life, Canaries>();

/** The agent that is there was launched without them. */
async function findCanaries(life: Life): Promise<Canaries> {
  const known = planted.get(life);
  if (known) return known;
  const canaries = plantCanaries(life);
  planted.set(life, canaries);
  await life.renew();
  return canaries;
}

/** Before and behind it: the same process, the same conversation, no file, no question. */
async function watches(life: Life, play: (scene: Scene) => Promise<void>): Promise<undefined> {
  const canaries = await findCanaries(life);
  await life.box.ask(['agents', 'add', 'ann']).catch(() => undefined);
  const opener = await new Person(life).opens();
  const before = await life.rootProcess();
  const post = new Post(life);
  const from = life.events.length;
  const first = life.mock.requests.length;
  const requests = () => life.mock.requests.slice(first);
  const isHarmless = (): void => {
    const canary = findCanary(requests(), canaries.secrets);
    must(canary === undefined, canary ?? '');
    const news = canaries.news();
    must(news.length === 0, `it made ${news.join(', ')}`);
  };
  const asked = () => life.events.slice(from).filter(({ status }) => status === 'waiting').length;
  await play({
    canaries,
    sends: async (text, { route, isDuringTool } = {}) => {
      const questions = asked();
      const { id } = await life.box.ask<{ id: string }>([
        ...['send', 'lab', text, '--from', 'ann'],
        ...(isDuringTool ? ['--urgent'] : []),
      ]);
      const story = await post
        .becomes({ id, word: id }, ['seen', 'acked'], patienceMs)
        .finally(isHarmless);
      const carried = story.attempts.at(-1)?.route;
      must(route === undefined || carried === route, `${carried} carried it, not ${route}`);
      // For a tab that is pasted Kimi Code 2.1.0 writes four blanks, Copilot CLI 1.0.102 four or
      // one.
      const tabs = carried === 'paste' ? ['\t', '    ', ' '] : ['\t'];
      const wrongs = tabs.map((tab) => judgeWords(requests(), text, tab));
      const wrong = wrongs.includes(undefined) ? undefined : wrongs[0];
      must(wrong === undefined, `by ${carried}: ${wrong}`);
      must(
        isDuringTool || asked() === questions,
        `it asked a person: ${JSON.stringify(text.slice(0, 60))}`,
      );
    },
  });
  await settles(life);
  isHarmless();
  const after = await life.rootProcess();
  must(after.pid === before.pid && after.startedAt === before.startedAt, 'it is another process');
  const word = createWord();
  const { request } = await life.ask(`@@say still here ${word}`);
  must(request.body.includes(opener), 'it is another conversation');
  await settles(life);
  isHarmless();
  return undefined;
}
