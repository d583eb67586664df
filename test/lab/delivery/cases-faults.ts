import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { isAtRest, patienceMs } from '../life/life.ts';
import { isAlive, signalProcess } from '../processes.ts';
import { pause, settles } from './cases-usual.ts';
import { createWord, Post } from './post.ts';
import { traits } from './traits.ts';

/** So long a CLI's own tries are waited for. */
const triesMs = 75_000;
/** After a failure of the model's API an agent is left alone for 30 s. */
const afterBackOffMs = patienceMs + 40_000;

export const faultCases: readonly Check[] = [
  failing('fail-401', 401),
  failing('fail-500', 500),
  {
    name: 'esc',
    promise: 'rule 9: a person breaks off the turn that reads it; it is never lost',
    run: async (life) => {
      const post = new Post(life);
      const letter = await post.send('@@stream 3000 words 20ms');
      const [request] = await waitUntil('its request', () => {
        const found = post.requestsWith(letter);
        return found.length > 0 ? found : undefined;
      });
      await life.hands.shows(/word20\b/, patienceMs);
      for (let tries = 0; tries < 5 && request?.outcome === undefined; tries++) {
        await life.hands.press(life.lab.interruptKeys);
        await waitUntil('its end', () => request?.outcome, 4000).catch(() => undefined);
      }
      must(request?.outcome === 'client-closed', `the keys did not break it off`);
      await life.hears('rest', isAtRest, life.events.length - 1);
      // Qwen Code puts it back into the composer, where it is the person's (rule 12): here they
      // send it again.
      await life.empty().catch(async () => {
        await life.hands.press(['Enter']);
        await post.isSeen(letter);
        await settles(life);
      });
      const turn = await life.ask('@@say the person goes on');
      await life.rests(turn);
      await post.becomes(letter, ['seen', 'acked']);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'clear',
    promise: 'after a new conversation messages go into the new one, and what was seen stays seen',
    run: async (life) => {
      const post = new Post(life);
      const before = await post.send();
      await post.isSeen(before);
      await settles(life);
      await life.hands.submit(traits[life.lab.name].clear);
      await pause(2000);
      await life.empty();
      const after = await post.send();
      await post.isSeen(after, traits[life.lab.name].idle);
      const last = post.requestsWith(after).at(-1)?.body ?? '';
      must(!last.includes(before.word), 'it went into the old conversation');
      const { message } = await post.explain(before.id);
      must(message.state === 'seen', 'what was seen is not seen any more');
      must(message.inContext === false, 'rule 9: it still counts as in its context');
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'kill-agent',
    promise:
      'kill -9 of the agent between injection and request: after its restart, once and whole',
    isShort: true,
    run: async (life) => {
      const post = new Post(life);
      const word = createWord();
      life.gate.hold(word);
      const letter = await post.send('@@say ok', [], word);
      await life.gate.arrived(word, patienceMs);
      const before = life.family(await life.rootProcess());
      for (const found of before) signalProcess(found, 'SIGKILL');
      await waitUntil('its end', () => before.every((found) => !isAlive(found)));
      life.gate.drop();
      await life.hears('exited', ({ status }) => status === 'exited', life.events.length - 1);
      must(post.requestsWith(letter).length === 0, 'the model got it after all');
      const from = life.events.length;
      await life.restart();
      await life.isReady(from);
      await post.isSeen(letter);
      await settles(life);
      return undefined;
    },
  },
  ...['deliver.claimed', 'deliver.begun', 'deliver.acted', 'deliver.injected'].map(killDaemonAt),
  {
    name: 'restart',
    promise: 'rule 37: restarted and resumed, it goes on getting messages in the same conversation',
    run: async (life) => {
      const post = new Post(life);
      const before = await post.send();
      await post.isSeen(before);
      await settles(life);
      const from = life.events.length;
      await life.restart();
      await life.isReady(from);
      const after = await post.send();
      const story = await post.isSeen(after);
      // A notice about what was left unread may be at work.
      const { idle, busy } = traits[life.lab.name];
      const route = story.attempts.at(-1)?.route;
      must(route === idle || route === busy, `${route} carried it`);
      const last = post.requestsWith(after).at(-1)?.body ?? '';
      must(last.includes(before.word), 'the conversation was not resumed');
      await settles(life);
      return undefined;
    },
  },
];

function failing(name: string, status: number): Check {
  return {
    name,
    promise: `the model's API answers ${status}: never called seen before the model has read it`,
    isLong: true,
    run: async (life) => {
      const post = new Post(life);
      const word = createWord();
      // As often as the CLI itself tries, however often that is.
      life.gate.refuse(word, status);
      const letter = await post.send('@@say at last', [], word);
      const isError = ({ status: said }: { status: string }): boolean => said === 'error';
      // Gemini CLI tries for minutes by itself: then it is still at it when the API comes back.
      const from = life.events.length - 1;
      await life.hears('error', isError, from, triesMs).catch(() => {
        must(life.current?.status === 'processing', `it is ${life.current?.status}, not in error`);
      });
      must(!['seen', 'acked'].includes(await post.state(letter.id)), 'seen without an answer');
      life.gate.refuse(undefined);
      const next = await post.send('@@say the next one');
      await post.isSeen(next, undefined, afterBackOffMs);
      await post.isSeen(letter, undefined, afterBackOffMs);
      await settles(life);
      return undefined;
    },
  };
}

function killDaemonAt(place: string): Check {
  return {
    name: place.replace('deliver.', 'daemon-'),
    promise: `kill -9 of the daemon at ${place}: the message is neither lost nor doubled`,
    run: async (life) => {
      const post = new Post(life);
      await life.box.down();
      await life.box.up({ SIGNALBOX_FAILPOINTS: `${place}=kill` });
      const daemon = life.box.daemon.pid;
      await life.shows('rest', isAtRest);
      const letter = await post.send();
      await waitUntil('the end of the daemon', () => !isRunning(daemon), 30_000);
      await life.box.up();
      await life.shows('rest or work', ({ status }) => status !== 'unknown');
      await post.isSeen(letter, undefined, 2 * patienceMs);
      await settles(life);
      return undefined;
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
