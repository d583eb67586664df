import { pins } from '../../lab/versions.ts';
import { type Account, type Check, checks } from './account.ts';
import type { Soak } from './main.ts';

interface Facts {
  readonly restarts: { readonly asked: number; readonly killed: number };
  /** Kills of workers. */
  readonly workers: number;
  /** Orders that made no task at first. */
  readonly again: number;
  readonly seconds: number;
  /** Messages that were on their way in the end. */
  readonly open: readonly string[];
}

export function report(
  { tasks, clis, killsWorkers }: Pick<Soak, 'tasks' | 'clis' | 'killsWorkers'>,
  { owed, once, marked, told, faults, judged }: Account,
  { restarts, workers, again, seconds, open }: Facts,
): { readonly text: string; readonly isGood: boolean } {
  const idle = [
    ...judged.listIdle(listDue(killsWorkers)),
    ...(restarts.asked === 0 ? ['nothing to judge: a restart that was asked for'] : []),
    ...(restarts.killed === 0 ? ['nothing to judge: a kill of the daemon'] : []),
  ];
  const isComplete = owed === tasks && once + marked + told === owed;
  const isGood = faults.length === 0 && isComplete && idle.length === 0;
  const names = clis.map((cli) => `${cli} ${pins[cli].version}`).join(', ');
  const day = new Date().toISOString().slice(0, 10);
  const text = [
    `# Soak: ${tasks} tasks between real CLIs, ${day}`,
    '',
    `One supervisor and one worker of each of ${names}; every supervisor gives tasks to every worker with the`,
    '`assign` tool. The daemon was restarted every 20 s, by turns with `down` and `up` and with kill -9 and `up`:',
    `${restarts.asked} and ${restarts.killed} times in ${seconds} s. Each answer is a random word that the mock was taught for that task alone. The`,
    'account is by the requests that the mock model got, and by the ledger: each is held against the other.',
    ...(workers === 0
      ? []
      : [`${workers} times a worker was killed with -9, whatever it did, and restarted by hand.`]),
    '',
    '| owed | received once | received again, marked | told that none comes | anything else |',
    '| ---: | ---: | ---: | ---: | ---: |',
    `| ${owed} | ${once} | ${marked} | ${told} | ${faults.length} |`,
    '',
    `${again} orders met no daemon, or were lost to a call of the tool without one, and were given again under the same key.`,
    ...(open.length === 0
      ? []
      : [
          '',
          'Still on their way when the account was taken:',
          '',
          ...open.map((one) => `- ${one}`),
        ]),
    ...(faults.length === 0
      ? []
      : ['', '## Anything else', '', ...faults.map((fault) => `- ${fault}`)]),
    '',
    'Cases that each check met:',
    '',
    ...checks.map((check) => `- ${check}: ${judged.count(check)}`),
    ...(idle.length === 0 ? [] : ['', ...idle]),
    '',
    isGood ? 'Nothing else.' : 'NOT within the bar.',
  ].join('\n');
  return { text, isGood };
}

/**
 * Whether a copy comes again, or two tasks enter a model in one prompt, is up to when the daemon
 * dies; an end without an answer takes the death of a worker.
 */
function listDue(killsWorkers: boolean): readonly Check[] {
  const always: readonly Check[] = ['a task that was given', 'an answer that its giver got'];
  return killsWorkers ? [...always, 'an end without an answer'] : always;
}
