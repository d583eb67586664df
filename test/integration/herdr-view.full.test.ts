import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { writeScriptedProvider } from '../../src/demo/scripted-provider.ts';
import { ask } from '../../src/terminals/herdr/request.ts';
import { ask as tell } from '../fakes/herdr/cli/client.ts';
import { controlVariable, openControl } from '../fakes/scripted-agent.ts';
import { herdrSocket, realHerdr } from '../support/install-herdr.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  type IntegratedKind,
  integratedKinds,
  writeIntegratedCli,
} from './fixtures/integrated-cli.ts';
import { herdrPlaces, inPlaces } from './fixtures/places.ts';
import { openStation, type Station } from './fixtures/station.ts';

/** What herdr shows for each of our statuses. `done` is idle that nobody has looked at. */
const states: Readonly<Record<string, readonly string[]>> = {
  idle: ['idle', 'done'],
  completed: ['idle', 'done'],
  processing: ['working'],
  waiting: ['blocked'],
};

type Json = Readonly<Record<string, unknown>>;

/** Names of agents and what they are called like; each has a parent but the first. */
async function openTeam(station: Station, isIntegrated: boolean) {
  const folder = join(station.home, 'clis');
  mkdirSync(folder);
  const { providers, ...rest } = JSON.parse(writeScriptedProvider(['x'])) as {
    providers: { scripted: Json };
  };
  const described = integratedKinds.map((kind) => {
    const command = [writeIntegratedCli(folder, kind, isIntegrated)];
    return [`like-${kind}`, { ...providers.scripted, command }];
  });
  const settings = { ...rest, terminal: 'herdr', providers: Object.fromEntries(described) };
  writeFileSync(join(station.home, 'config.yaml'), JSON.stringify(settings));
  const [first] = integratedKinds;
  for (const kind of integratedKinds) {
    const parent = kind === first ? [] : ['--parent', first];
    const env = `${controlVariable}=${join(station.home, `${kind}.control`)}`;
    const cwd = ['--cwd', station.home];
    await station.ask('launch', `like-${kind}`, '--name', kind, '--env', env, ...parent, ...cwd);
  }
}

inPlaces(
  herdrPlaces.filter(({ herdr }) => herdr === '0.8.0'),
  'herdr’s own view, beside what `status` shows',
  ({ test }, place) => {
    for (const isIntegrated of [false, true]) {
      const how = isIntegrated ? 'with herdr’s integrations' : 'without herdr’s integrations';
      test(`in a team’s life, ${how}: the same, or our word is withdrawn`, async () => {
        const station = await openStation({ place });
        await openTeam(station, isIntegrated);
        const team = integratedKinds.map((kind) => openMember(station, kind, isIntegrated));
        const rows: string[][] = [];
        await Promise.all(
          team.map(async (member) => {
            const row = await playLife(member, station);
            rows.push([member.kind, ...row]);
          }),
        );
        keepTable(how, rows);
        const words = rows.flatMap((row) => row.slice(1));
        expect(words).toHaveLength(integratedKinds.length * steps.length);
      });
    }
  },
);

interface Member {
  readonly kind: IntegratedKind;
  /**
   * Waits until herdr shows that status, or its own idea where it does not listen to us; the row of
   * the table.
   */
  shows(status: string): Promise<string>;
}

const steps = [
  'launch',
  'turn',
  'question',
  'answer',
  'end of turn',
  'next turn',
  'restart',
  'stop',
];

async function playLife({ kind, shows }: Member, station: Station): Promise<readonly string[]> {
  const control = await openControl(join(station.home, `${kind}.control`), 30_000);
  onTestFinished(() => control.close());
  const row: string[] = [];
  row.push(await shows('idle'));
  const turn = control.tell('@@work 12s @@ask permission rm a @@work 12s @@say done');
  row.push(await shows('processing'));
  row.push(await shows('waiting'));
  await press(station, kind, 'enter');
  row.push(await shows('processing'));
  await turn;
  row.push(await shows('completed'));
  const next = control.tell('@@hang');
  row.push(await shows('processing'));
  await control.tell('interrupt');
  await next;
  await station.ask('restart', kind);
  row.push(await shows('idle'));
  await station.ask('stop', kind);
  await waitUntil(
    'herdr has forgotten it',
    async () => (await shownOf(station, kind)) === undefined,
  );
  row.push('exited: gone');
  return row;
}

function openMember(station: Station, kind: IntegratedKind, isIntegrated: boolean): Member {
  const isMuted = isIntegrated && !['opencode', 'kimi'].includes(kind);
  return {
    kind,
    shows: async (status) => {
      await station.untilStatus(kind, status);
      const wanted = states[status] ?? [];
      let shown: Json | undefined;
      const fits = async (pane: Json): Promise<boolean> => {
        const state = String(pane['agent_status']);
        if (!isMuted) return wanted.includes(state);
        return state !== 'unknown' && (await isWithdrawn(station, String(pane['pane_id'])));
      };
      await waitUntil(`${kind}: ${status}`, async () => {
        shown = await shownOf(station, kind);
        return shown !== undefined && (await fits(shown));
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}; herdr shows ${JSON.stringify(shown)}`);
      });
      const state = String(shown?.['agent_status']);
      expect(shown?.['agent']).toBe(kind);
      return `${status}: ${state}${isMuted ? ' (its own eyes)' : ''}`;
    },
  };
}

/** As herdr's sidebar has it: by the name that a person sees. */
async function shownOf(station: Station, name: string): Promise<Json | undefined> {
  const { agents } = await ask(herdrSocket(station.home), {
    method: 'agent.list',
    deadlineMs: 60_000,
  });
  return (agents as Json[]).find(({ display_agent }) => display_agent === name);
}

/** Nothing of ours stands there any more: what herdr shows is its own. Only the fake tells. */
async function isWithdrawn(station: Station, pane: string): Promise<boolean> {
  if (realHerdr !== undefined) return true;
  const told = await tell(`${herdrSocket(station.home)}.chaos`, { do: 'count' });
  const sources = told?.['authorities'] as Readonly<Record<string, string>> | undefined;
  return sources !== undefined && sources[pane] !== 'signalbox';
}

/** What a person in herdr types. */
async function press(station: Station, name: string, key: string): Promise<void> {
  const { pane_id } = (await shownOf(station, name)) ?? {};
  const params = { pane_id, keys: [key] };
  await ask(herdrSocket(station.home), { method: 'pane.send_keys', params, deadlineMs: 60_000 });
}

/**
 * For docs/results, where a file is named: the words in each cell are those of `status` and of
 * herdr.
 */
function keepTable(title: string, rows: readonly (readonly string[])[]): void {
  const path = process.env['HERDR_VIEW_TABLE'];
  if (path === undefined) return;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = [line(['', ...steps]), line(['---', ...steps.map(() => '---')])];
  const body = [...rows].sort().map(line);
  writeFileSync(path, `\n## ${title}\n\n${[...head, ...body].join('\n')}\n`, { flag: 'a' });
}
