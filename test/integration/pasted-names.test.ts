import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import { controlVariable, openControl } from '../fakes/scripted-agent.ts';
import type { Ended } from '../support/cli.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/**
 * Two sessions whose agents have the same names. Whatever a command prints, a name in it means one
 * agent, and a command line in it can be pasted back and means the agent that it is about.
 */
describe.skipIf(!hasTmux)('where several agents have one name', () => {
  test('every command prints names that mean one agent, and command lines that address it', {
    tags: ['full'],
  }, async () => {
    const walk = await openWalk();
    const { station, see } = walk;
    const { shop, web } = walk.agents;

    // Waiting, failed, gone with mail and a debt, at rest; and some that pull.
    await walk.tell('shop', 'lead', '@@ask question Which colour?');
    await walk.tell('web', 'critic', '@@fail overloaded');
    await station.untilStatus('shop/lead', 'waiting');
    await station.untilStatus('web/critic', 'error');
    await see('assign', await station.run(['assign', 'web/worker', 'Paint it']), [web.worker]);
    await see('stop', await station.run(['stop', 'web/worker']), [web.worker]);
    await see('stop again', await station.run(['stop', 'web/worker']), [web.worker]);

    const all = [...Object.values(shop), ...Object.values(web)];
    for (const args of [
      ['ls'],
      ['ls', '--all'],
      ['ls', '--wide'],
      ['ls', '--session', 'web'],
      ['attention'],
      ['tmux-status'],
      ['doctor'],
      ['events'],
      ['dead-letters', 'list'],
    ]) {
      const columns = { env: { COLUMNS: '200' } };
      await see(args.join(' '), await station.run(args, columns), all);
    }
    for (const agent of all) {
      await see(`status ${agent.full}`, await station.run(['status', agent.full]), all);
      for (const command of ['output', 'logs']) {
        // What its terminal shows is written for the agent itself.
        const ended = await station.run([command, agent.full]);
        await see(`${command} ${agent.full}`, { ...ended, stdout: '' }, all);
      }
      await see('inbox list', await station.run(['inbox', 'list', agent.full]), all);
    }

    // A message that waits, one that is refused, one that bounces.
    const sent = await station.run(['send', 'web/worker', 'Are you there?']);
    await see('send to one that is gone', sent, [web.worker]);
    const short = sent.stdout.split(' ')[0] ?? '';
    for (const command of ['explain', 'cancel']) {
      await see(command, await station.run([command, short]), [web.worker]);
    }
    await see('task refused', await station.run(['handoff', 'web/worker', 'x']), [web.worker]);
    const waited = ['send', 'web/worker', 'x', '--wait', 'seen', '--timeout', '1s'];
    await see('send --wait', await station.run(waited), [web.worker]);
    const timed = await station.run(['handoff', 'shop/worker', '@@work 600s', '--timeout', '1s']);
    await see('handoff that takes long', timed, [shop.worker]);
    const asked = await station.run(['handoff', 'shop/lead', 'x', '--timeout', '2s']);
    await see('handoff to one that asks', asked, [shop.lead]);
    await see('explain a task', await station.run(['explain', 'worker:1']), all);

    // What is refused, from outside and from inside.
    const refusals = [
      ...[
        ['status', 'lead'],
        ['send', 'lead', 'x'],
        ['rm', 'lead'],
        ['restart', 'nobody'],
      ],
      ...[
        ['status', 'shop/nobody'],
        ['attach', 'web/worker'],
        ['restart', 'shop/puller'],
      ],
      ...[
        ['stop', 'shop/puller'],
        ['logs', 'shop/puller'],
        ['output', 'web/puller'],
      ],
      ...[
        ['assign', 'nobody', 'x'],
        ['assign', 'shop/worker', 'x', '--name', 'other'],
      ],
      ...[['launch', scriptedProvider, '--name', 'lead', '--session', 'shop']],
      ...[
        ['agents', 'add', 'lead', '--session', 'web'],
        ['explain', 'lead:999'],
      ],
      ...[['restart', 'shop/worker', '--cwd', join(station.home, 'gone')]],
    ];
    for (const args of refusals) {
      const ended = await station.run(args);
      expect([args, ended.code === 0]).toEqual([args, false]);
      await see(args.join(' '), ended, all, { mayAsk: args });
    }
    const inside = [
      ...[
        ['rm', 'shop/lead'],
        ['inbox', 'drain', 'shop/lead'],
        ['output', 'shop/lead'],
      ],
      ...[
        ['logs', 'shop/lead'],
        ['send', 'shop/lead', 'From web'],
        ['inbox', 'list'],
      ],
    ];
    for (const args of inside) {
      await see(`web/lead: ${args.join(' ')}`, await station.runAs(web.lead.id, args), all);
    }

    // What has ended beside its namesake, and a name that only looks like one that two agents have.
    await see('stop a worker', await station.run(['stop', 'shop/worker']), [shop.worker]);
    await see('doctor beside ended ones', await station.run(['doctor']), all);
    const alike = ['agents', 'add', 'l\u0435ad', '--session', 'blog'];
    // It may say which name to write, of an agent that is still to be added.
    await see('a look-alike', await station.run(alike), all, { mayAsk: ['lead'] });
    await see('restart beside it', await station.run(['restart', 'shop/worker']), [shop.worker]);

    // What goes, what comes and what is begun anew.
    await see('restart', await station.run(['restart', 'web/worker']), [web.worker]);
    await station.run(['send', 'shop/puller', 'Never read']);
    await see('rm', await station.run(['rm', 'shop/puller', 'shop/critic']), all);
    const mail = await station.run(['inbox', 'drain']);
    expect(mail.stdout).toMatch(/ to shop\/puller was not delivered/);
    // The names alone mean the only ones that live by now.
    await see('bounces', mail, all, { others: ['puller', 'critic'] });
    const again = ['launch', scriptedProvider, '--name', 'critic', '--session', 'shop'];
    const launched = await station.run(again);
    const critics = [await walk.find('shop', 'critic'), web.critic];
    await see('launch', launched, critics, { mayAsk: ['critic'] });
    const added = await station.run(['agents', 'add', 'lead', '--session', 'blog']);
    await see('agents add', added, all, { mayAsk: ['lead'], others: ['blog/lead'] });
    expect([...walk.pasted]).toEqual(
      expect.arrayContaining([
        ...['attach shop/lead', 'output web/critic', 'restart web/worker', 'ls --session shop'],
        ...['restart shop/lead', 'rm shop/lead', 'rm web/lead', 'attach shop/critic'],
      ]),
    );
  });
});

interface Known {
  readonly id: string;
  readonly full: string;
}

const names = ['lead', 'worker', 'critic', 'puller'] as const;
type Name = (typeof names)[number];
type Team = Readonly<Record<Name, Known>>;

async function openWalk() {
  const station = await openStation();
  const agents = { shop: await launchTeam(station, 'shop'), web: await launchTeam(station, 'web') };
  const pasted = new Set<string>();
  /** `about`: those of whom it may speak. */
  const see = async (
    what: string,
    { stdout, stderr }: Ended,
    about: readonly Known[],
    { mayAsk = [], others = [] }: { mayAsk?: readonly string[]; others?: readonly string[] } = {},
  ): Promise<void> => {
    const said = `${stdout}${stderr}`;
    for (const { line, word } of findNames(said)) {
      const isKnown = about.some(({ full }) => full === word) || others.includes(word);
      // A fault may quote the name that it could not understand.
      if (!isKnown && !(mayAsk.includes(word) && line.includes(`"${word}"`))) {
        throw new Error(`${what} prints ${word}: ${line}`);
      }
    }
    for (const line of findCommands(said)) {
      if (others.length === 0) await paste(station, what, line, about);
      pasted.add(line.join(' '));
    }
  };
  return {
    station,
    agents,
    pasted,
    see,
    find: async (session: string, name: string): Promise<Known> => {
      const full = `${session}/${name}`;
      return { id: (await station.agent(full)).id, full };
    },
    tell: async (session: string, name: string, line: string): Promise<void> => {
      const control = await openControl(controlOf(station, session, name), 30_000);
      onTestFinished(() => control.close());
      void control.tell(line).catch(() => undefined);
    },
  };
}

async function launchTeam(station: Station, session: string): Promise<Team> {
  const team: Partial<Record<Name, Known>> = {};
  for (const name of names) {
    const full = `${session}/${name}`;
    const where = [
      '--session',
      session,
      ...(name === 'worker' ? ['--parent', `${session}/lead`] : []),
    ];
    const control = `${controlVariable}=${controlOf(station, session, name)}`;
    const args =
      name === 'puller'
        ? ['agents', 'add', name, ...where]
        : ['launch', scriptedProvider, '--name', name, ...where, '--env', control];
    const ended = await station.run([...args, '--json']);
    expect([full, ended.code]).toEqual([full, 0]);
    team[name] = { id: ended.json<AgentView>().id, full };
  }
  return team as Team;
}

function controlOf({ home }: Station, session: string, name: string): string {
  return join(home, `${session}-${name}.control`);
}

/** Every word that is the name of one of them, with what stands before it. */
function findNames(said: string): readonly { readonly line: string; readonly word: string }[] {
  const form = new RegExp(`(?<![\\w./-])(?:[\\w-]+/)?(?:${names.join('|')})(?![\\w/:-])`, 'g');
  return said
    .split('\n')
    .flatMap((line) => [...line.matchAll(form)].map(([word]) => ({ line, word })));
}

/** Command lines of ours, up to where a sentence goes on. */
function findCommands(said: string): readonly (readonly string[])[] {
  const found = said.matchAll(/signalbox ([a-z][a-z-]*(?: (?:--)?[\w/-]+(?:[:.][\w]+)*)*)/g);
  return [...found].map(([, line = '']) => line.split(' '));
}

/** With which a command names an agent; others are run as they are. */
const verbs = [
  'attach',
  'restart',
  'stop',
  'rm',
  'output',
  'status',
  'send',
  'answer',
  'interrupt',
];
/** The daemon has a log, too. */
const alsoAlone = ['logs'];

/** A look says whom a command would reach: most of them would end or change something. */
async function paste(
  station: Station,
  what: string,
  [verb = '', ...words]: readonly string[],
  about: readonly Known[],
): Promise<void> {
  const line = [verb, ...words].join(' ');
  // Of all of them, or of the next one: nobody is named.
  if (words[0]?.startsWith('--')) return;
  if (verbs.includes(verb) || (alsoAlone.includes(verb) && words[0] !== undefined)) {
    if (words[0] === undefined) throw new Error(`${what} prints a line without its name: ${line}`);
    const ended = await station.run(['status', words[0], '--json']);
    const reached = ended.code === 0 ? ended.json<AgentView>().id : ended.stderr;
    expect([what, line, about.map(({ id }) => id)]).toEqual([
      ...[what, line, expect.arrayContaining([reached])],
    ]);
  } else if (['explain', 'ls', 'attention', 'doctor'].includes(verb)) {
    const ended = await station.run([verb, ...words]);
    // Things need attention here: `doctor` says that with 7.
    expect([what, line, [0, 1, 7]]).toEqual([what, line, expect.arrayContaining([ended.code])]);
  }
}
