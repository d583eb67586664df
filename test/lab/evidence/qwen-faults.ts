import { waitUntil } from '../../support/wait-until.ts';
import { clearComposer, hooksOf, onRecord, record, shows } from './qwen-hands.ts';
import type { EvidenceCase } from './run-cases.ts';

/** What goes wrong with a message of ours in Qwen Code 0.24.4: interruptions, failures, deaths. */
export const faults: readonly EvidenceCase[] = [
  {
    name: 'interrupted',
    run: async (lab) => {
      await lab.launch();
      await lab.ask('@@say base');
      lab.gate.hold('@@say one');
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      await onRecord(lab, given);
      const before = await record(lab, [[given, 'none']]);
      await lab.life.terminal.keys('Escape');
      await shows(lab, /^> <signalbox/m);
      await lab.life.terminal.settled(1500, 10_000).catch(() => undefined);
      lab.gate.release();
      lab.note(hooksOf(lab));
      await lab.expect(given, 'none');
      await clearComposer(lab);
      await lab.ask('@@say next');
      lab.check('it is out of the conversation', lab.got(given).length === 0);
      await lab.expect(given, 'unknown');
      const after = await record(lab, [[given, 'unknown']]);
      const { conversation } = lab.life;
      await lab.life.end();
      await lab.launch(conversation);
      await lab.expect(given, 'landed', { isAlive: false });
      await lab.ask('@@say again');
      await waitUntil('its end', () => lab.life.turnEnds.length > 0, 20_000);
      await lab.life.terminal.settled(2000, 10_000).catch(() => undefined);
      lab.note(`after the resume the model got it ${lab.got(given).length} times`);
      await lab.expect(given, 'seen', { isAlive: false });
      const resumed = await record(lab, [[given, 'seen']], { isAlive: false });
      return [...before, ...after, ...resumed];
    },
  },
  {
    name: 'interrupted-and-sent-again',
    run: async (lab) => {
      await lab.launch();
      lab.gate.hold('@@say one');
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      await lab.life.terminal.keys('Escape');
      await shows(lab, /^> <signalbox/m);
      await lab.life.terminal.settled(1500, 10_000).catch(() => undefined);
      lab.gate.release();
      await lab.life.terminal.keys('Enter');
      await lab.expect(given, 'seen');
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'queued-interrupted',
    run: async (lab) => {
      await lab.launch();
      await lab.busy('@@say base');
      const given = await lab.life.inject('@@say one');
      await shows(lab, /One message for you/);
      await lab.life.terminal.keys('Escape');
      await shows(lab, /^> <signalbox/m);
      lab.gate.release();
      await lab.expect(given, 'none');
      lab.note(hooksOf(lab));
      lab.check('the model did not get it', lab.got(given).length === 0);
      return await record(lab, [[given, 'none']]);
    },
  },
  {
    name: 'refused-401',
    run: async (lab) => {
      await lab.launch();
      lab.gate.refuse('@@say one', 401);
      const given = await lab.life.inject('@@say one');
      // Its name is not always in there; the status stands in then.
      const hasFailed = (): boolean => /StopFailure/.test(hooksOf(lab));
      await waitUntil('StopFailure', hasFailed, 30_000);
      lab.gate.refuse(undefined);
      await lab.life.terminal.settled(1500);
      await lab.expect(given, 'landed');
      lab.note(hooksOf(lab));
      lab.note(JSON.stringify(lab.life.turnEnds));
      const before = await record(lab, [[given, 'landed']]);
      await lab.ask('@@say next');
      lab.check('the next request holds it', lab.got(given).length > 0);
      await lab.expect(given, 'seen');
      return [...before, ...(await record(lab, [[given, 'seen']]))];
    },
  },
  {
    name: 'failing-500',
    run: async (lab) => {
      await lab.launch();
      lab.gate.refuse('@@say one', 500);
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      lab.gate.refuse(undefined);
      await lab.life.finds(given.trace, 'seen', 60_000);
      return await record(lab, [[given, 'seen']]);
    },
  },
  {
    name: 'killed-after-append',
    run: async (lab) => {
      await lab.launch();
      await lab.ask('@@say base');
      await lab.life.terminal.settled(1500);
      const { conversation } = lab.life;
      // Stopped, it cannot read the line before it dies.
      for (const { pid } of lab.life.terminal.processes()) process.kill(pid, 'SIGSTOP');
      const given = await lab.life.inject('@@say one');
      await lab.life.kill();
      await lab.launch(conversation);
      await lab.expect(given, 'absent', { isAlive: false });
      await lab.ask('@@say next');
      lab.check('the model did not get it', lab.got(given).length === 0);
      return await record(lab, [[given, 'absent']], { isAlive: false });
    },
  },
  {
    name: 'killed-while-queued',
    run: async (lab) => {
      await lab.launch();
      await lab.busy('@@say base');
      const given = await lab.life.inject('@@say one');
      await shows(lab, /One message for you/);
      const { conversation } = lab.life;
      await lab.life.kill();
      lab.gate.release();
      await lab.launch(conversation);
      // It may as well have been taken in a moment before.
      await lab.expect(given, 'unknown', { isAlive: false });
      await lab.ask('@@say next');
      lab.check('the model did not get it', lab.got(given).length === 0);
      return await record(lab, [[given, 'unknown']], { isAlive: false });
    },
  },
  {
    name: 'killed-with-request',
    run: async (lab) => {
      await lab.launch();
      await lab.ask('@@say base');
      lab.gate.hold('@@say one');
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      await onRecord(lab, given);
      const { conversation } = lab.life;
      await lab.life.kill();
      lab.gate.release();
      await lab.launch(conversation);
      await lab.expect(given, 'landed', { isAlive: false });
      await lab.ask('@@say next');
      await waitUntil('its end', () => lab.life.turnEnds.length > 0, 20_000);
      await lab.life.terminal.settled(2000, 10_000).catch(() => undefined);
      lab.note(`after the resume the model got it ${lab.got(given).length} times`);
      await lab.expect(given, 'seen', { isAlive: false });
      return await record(lab, [[given, 'seen']], { isAlive: false });
    },
  },
  {
    name: 'killed-at-request',
    run: async (lab) => {
      await lab.launch();
      await lab.ask('@@say base');
      lab.gate.hold('@@say one');
      const given = await lab.life.inject('@@say one');
      await lab.gate.arrived(given.mark);
      const { conversation } = lab.life;
      await lab.life.kill();
      lab.gate.release();
      await lab.launch(conversation);
      // The record is written at about the time of the request: there or not, it is never taken for
      // absent.
      const finding = await lab.life.judge({ ...given.trace, isAlive: false });
      lab.note(`${finding.found}: ${finding.evidence}`);
      lab.check('it is not absent', finding.found !== 'absent');
      return await record(lab, [[given, finding.found]], { isAlive: false });
    },
  },
];
