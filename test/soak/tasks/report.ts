import { pins } from '../../lab/versions.ts';
import type { Account } from './account.ts';
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
  { tasks, clis }: Pick<Soak, 'tasks' | 'clis'>,
  { owed, once, marked, told, faults }: Account,
  { restarts, workers, again, seconds, open }: Facts,
): { readonly text: string; readonly isGood: boolean } {
  const isGood = faults.length === 0 && owed === tasks && once + marked + told === owed;
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
    isGood ? 'Nothing else.' : 'NOT within the bar.',
  ].join('\n');
  return { text, isGood };
}
