import { asArray } from '../../../src/shared/json.ts';
import { ended, interrupt, read, record } from './opencode-hands.ts';
import type { EvidenceCase } from './run-cases.ts';

/** What goes wrong with a message of ours in OpenCode 1.18.33: interruptions, failures, deaths. */
export const faults: readonly EvidenceCase[] = [
  {
    name: 'interrupted',
    run: async (lab) => {
      await lab.launch();
      lab.gate.hold('@@say one');
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      await lab.expect(given, 'landed');
      await interrupt(lab);
      await ended(lab, 'interrupted');
      await lab.expect(given, 'landed');
      const before = await record(lab, [[given, 'landed']]);
      lab.gate.release();
      await lab.ask('@@say next');
      await lab.expect(given, 'seen');
      return [...before, ...(await record(lab, [[given, 'seen']]))];
    },
  },
  {
    name: 'queued-interrupted',
    run: async (lab) => {
      await lab.launch();
      await lab.busy('@@say base');
      const given = await lab.life.inject('@@say one');
      await lab.expect(given, 'landed');
      await interrupt(lab);
      await ended(lab, 'interrupted');
      lab.gate.release();
      await lab.life.terminal.settled(1500);
      await lab.expect(given, 'landed');
      lab.check('the model did not get it', lab.got(given).length === 0);
      const before = await record(lab, [[given, 'landed']]);
      await lab.ask('@@say next');
      await lab.expect(given, 'seen');
      return [...before, ...(await record(lab, [[given, 'seen']]))];
    },
  },
  {
    name: 'released',
    run: async (lab) => {
      await lab.launch();
      await lab.busy('@@say base');
      const given = await lab.life.inject('@@say one');
      await interrupt(lab);
      await ended(lab, 'interrupted');
      lab.gate.release();
      await lab.expect(given, 'landed');
      await lab.life.native.release?.();
      await lab.expect(given, 'seen');
      await ended(lab, 'completed');
      await lab.life.native.release?.();
      await lab.life.terminal.settled(1500);
      lab.check('the model got it once', lab.got(given).length === 1);
      const texts = (await read(lab)).filter(({ parts }) =>
        JSON.stringify(parts).includes(given.mark),
      );
      lab.check('it has one text', asArray(texts[0]?.['parts']).length === 1);
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'refused-401',
    run: async (lab) => {
      await lab.launch();
      const given = await lab.life.inject('@@fail 401');
      await ended(lab, 'failed');
      await lab.life.terminal.settled(1500);
      await lab.expect(given, 'landed');
      lab.check('one turn, one end', new Set(lab.life.turnEnds.map(({ id }) => id)).size === 1);
      const before = await record(lab, [[given, 'landed']]);
      await lab.ask('@@say next');
      await lab.expect(given, 'seen');
      return [...before, ...(await record(lab, [[given, 'seen']]))];
    },
  },
  {
    name: 'failing-500',
    run: async (lab) => {
      await lab.launch();
      const given = await lab.life.inject('@@fail 500 2 @@say at last');
      await lab.mock.waitFor(({ outcome }) => outcome === 'failed');
      await lab.expect(given, 'landed');
      const before = await record(lab, [[given, 'landed']]);
      await lab.life.finds(given.trace, 'seen', 60_000);
      return [...before, ...(await record(lab, [[given, 'seen']]))];
    },
  },
  {
    name: 'killed-with-request',
    run: async (lab) => {
      await lab.launch();
      lab.gate.hold('@@say one');
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      const { conversation } = lab.life;
      await lab.life.kill();
      lab.gate.release();
      await lab.launch(conversation);
      await lab.expect(given, 'landed', { isAlive: false });
      await lab.expect(given, 'landed', { isAlive: false, receipt: undefined });
      lab.check('no turn end of the old life', lab.life.turnEnds.length === 0);
      await lab.ask('@@say next');
      await lab.expect(given, 'seen', { isAlive: false });
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'killed-while-queued',
    run: async (lab) => {
      await lab.launch();
      await lab.busy('@@say base');
      const given = await lab.life.inject('@@say one');
      const never = { ...given.trace, mark: 'mark_01m7fyta2800vvhhbp7shf01w4_never' };
      const { conversation } = lab.life;
      await lab.life.kill();
      lab.gate.release();
      await lab.launch(conversation);
      const finding = await lab.life.judge({ ...given.trace, isAlive: false });
      lab.note(`after the kill: ${finding.found}: ${finding.evidence}`);
      const absent = await lab.life.judge({ ...never, isAlive: false });
      lab.check('what never came is absent', absent.found === 'absent');
      const { receipt: _, ...bare } = never;
      const lost = await lab.life.judge({ ...bare, isAlive: false });
      lab.check('also without a receipt', lost.found === 'absent');
      return await record(lab, [[given, finding.found]]);
    },
  },
];
