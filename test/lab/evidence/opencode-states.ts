import { readShown } from '../../../src/providers/opencode/shown.ts';
import { asObject } from '../../../src/shared/json.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { ended, fileAppears, read, record, shows, touch } from './opencode-hands.ts';
import type { EvidenceCase } from './run-cases.ts';

/** A message of ours in every state that OpenCode 1.18.33 may be in. */
export const states: readonly EvidenceCase[] = [
  {
    name: 'idle',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.type('my draft');
      await lab.life.terminal.waitFor('the draft', ({ text }) => text.includes('my draft'));
      const given = await lab.life.inject('@@say hello');
      await lab.expect(given, 'seen');
      await ended(lab, 'completed');
      const { text } = await lab.life.terminal.capture();
      lab.check('the draft is kept', /┃ {2}my draft$/m.test(text));
      lab.life.detach();
      lab.life.attach();
      await lab.expect(given, 'seen', { receipt: undefined });
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'busy-text',
    run: async (lab) => {
      await lab.launch();
      await lab.busy('@@say base');
      const first = await lab.life.inject('@@say one');
      const second = await lab.life.inject('@@say two');
      await lab.expect(first, 'landed');
      await lab.expect(second, 'landed');
      const before = await record(lab, [
        [first, 'landed'],
        [second, 'landed'],
      ]);
      lab.gate.release();
      await lab.expect(first, 'seen');
      await lab.expect(second, 'seen');
      await lab.gets(second);
      await ended(lab, 'completed');
      lab.check('both went in one request', lab.got(first)[0]?.n === lab.got(second)[0]?.n);
      const after = await record(lab, [
        [first, 'seen'],
        [second, 'seen'],
      ]);
      return [...before, ...after];
    },
  },
  {
    name: 'busy-tool',
    home: { approvals: 'allow-shell' },
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.prompt(
        '@@tool touch began; while [ ! -e go ]; do sleep 0.1; done @@say base',
      );
      await lab.mock.waitFor(({ outcome }) => outcome === 'finished');
      await fileAppears(lab, 'began');
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'landed');
      await touch(lab, 'go');
      await lab.expect(given, 'seen');
      await ended(lab, 'completed');
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'dialog-yes',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.prompt('@@tool touch began @@say base');
      await shows(lab, /△ Permission required/);
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'landed');
      await shows(lab, /△ Permission required/);
      await lab.life.terminal.keys('Enter');
      await lab.expect(given, 'seen');
      await ended(lab, 'completed');
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'dialog-no',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.prompt('@@tool touch began @@say base');
      await shows(lab, /△ Permission required/);
      const given = await lab.life.inject('@@say one');
      await lab.life.terminal.keys('Escape');
      await waitUntil('rest', () => lab.life.states.at(-1)?.report?.status !== 'waiting', 10_000);
      lab.note(`afterwards: ${JSON.stringify(lab.life.states.at(-1))}`);
      await lab.life.terminal.settled(1500);
      const finding = await lab.life.judge(given.trace);
      lab.note(`${finding.found}: ${finding.evidence}; the model got ${lab.got(given).length}`);
      lab.note(JSON.stringify(lab.life.turnEnds));
      return await record(lab, [[given, finding.found]]);
    },
  },
  {
    name: 'after-new',
    run: async (lab) => {
      await lab.launch();
      await lab.ask('@@say base');
      const old = lab.life.conversation;
      await lab.life.terminal.settled(500);
      await lab.life.terminal.type('/new');
      await lab.life.terminal.settled(500);
      await lab.life.terminal.keys('Enter');
      await waitUntil('home', () => isHome(readShown(lab.life.runFolder)), 10_000);
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'seen');
      lab.check('another conversation took it', !given.trace.receipt?.startsWith(`${old}/`));
      await waitUntil('it is current', () => lab.life.conversation !== old, 5000);
      await shows(lab, /One message for you/);
      return undefined;
    },
  },
  {
    name: 'plan-mode',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.keys('Tab');
      await shows(lab, /Plan · mock-model/);
      await lab.ask('@@say base');
      await lab.life.terminal.settled(500);
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'seen');
      const messages = await read(lab);
      const agents = messages.map(({ info }) => asObject(info)['agent']);
      lab.check(`all in plan: ${agents.join(', ')}`, new Set(agents).size === 1);
      return undefined;
    },
  },
  {
    name: 'launched-to-plan',
    args: ['--agent', 'plan'],
    run: async (lab) => {
      await lab.launch();
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'seen');
      const agents = (await read(lab)).map(({ info }) => asObject(info)['agent']);
      lab.check(
        `all in plan: ${agents.join(', ')}`,
        agents.every((agent) => agent === 'plan'),
      );
      return undefined;
    },
  },
  {
    name: 'subagent',
    run: async (lab) => {
      await lab.launch();
      lab.gate.hold('say below');
      await lab.life.terminal.prompt(
        '@@mcp opencode task {"description":"Look","prompt":"\\u0040@\\u0073ay below","subagent_type":"general"} @@say base',
      );
      await lab.gate.arrived('say below');
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'landed');
      lab.gate.release();
      await lab.expect(given, 'seen');
      await ended(lab, 'completed');
      lab.check('one turn ended', lab.life.turnEnds.length === 1);
      return await record(lab, [[given, 'seen']]);
    },
  },
];

function isHome(shown: ReturnType<typeof readShown>): boolean {
  return typeof shown === 'object' && shown.view === 'home';
}
