import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, fileAppears, hooksOf, record, shows } from './qwen-hands.ts';
import type { EvidenceCase } from './run-cases.ts';

/** A message of ours in every state that Qwen Code 0.24.4 may be in. */
export const states: readonly EvidenceCase[] = [
  {
    name: 'idle',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.type('my draft');
      await shows(lab, /> my draft/);
      const given = await lab.life.inject('@@say hello');
      await lab.expect(given, 'seen');
      await ended(lab, 'completed');
      await shows(lab, /^> my draft/m);
      lab.life.detach();
      lab.life.attach();
      await lab.expect(given, 'seen');
      await lab.life.terminal.settled(1500);
      lab.check('one end', lab.life.turnEnds.length === 1);
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
      await shows(lab, /One message for you[\s\S]*One message for you/);
      await lab.expect(first, 'none');
      lab.gate.release();
      await lab.expect(first, 'seen');
      await lab.expect(second, 'seen');
      await ended(lab, 'completed');
      await lab.life.terminal.settled(1500);
      lab.note(JSON.stringify(lab.life.turnEnds));
      return await record(lab, [
        [first, 'seen'],
        [second, 'seen'],
      ]);
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
      await fileAppears(lab, 'began');
      const first = await lab.life.inject('@@say one');
      const second = await lab.life.inject('@@say two');
      await shows(lab, /One message for you[\s\S]*One message for you/);
      await lab.expect(first, 'none');
      writeFileSync(join(lab.home.cwd, 'go'), '');
      await lab.expect(first, 'seen');
      await lab.expect(second, 'seen');
      await ended(lab, 'completed');
      return await record(lab, [
        [first, 'seen'],
        [second, 'seen'],
      ]);
    },
  },
  {
    name: 'dialog-yes',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.prompt('@@tool touch began @@say base');
      await shows(lab, /Allow execution of/);
      const given = await lab.life.inject('@@say one');
      await lab.life.terminal.settled(1500, 5000).catch(() => undefined);
      await lab.expect(given, 'none');
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
      await shows(lab, /Allow execution of/);
      const given = await lab.life.inject('@@say one');
      await shows(lab, /One message for you/);
      await lab.life.terminal.keys('Escape');
      await lab.life.terminal.settled(2000, 20_000).catch(() => undefined);
      const finding = await lab.life.judge(given.trace);
      lab.note(`${finding.found}: ${finding.evidence}; the model got ${lab.got(given).length}`);
      lab.note(JSON.stringify(lab.life.turnEnds));
      lab.note(hooksOf(lab));
      return await record(lab, [[given, finding.found]]);
    },
  },
  {
    name: 'after-clear',
    run: async (lab) => {
      await lab.launch();
      await lab.ask('@@say base');
      await lab.life.terminal.settled(1500);
      const old = lab.life.conversation;
      await lab.life.terminal.type('/clear');
      await lab.life.terminal.settled(500);
      await lab.life.terminal.keys('Enter');
      const given = await lab.life.inject('@@say one');
      await lab.gets(given);
      lab.life.readHooks();
      lab.note(`${old} → ${lab.life.conversation}`);
      await lab.expect(given, 'seen');
      return undefined;
    },
  },
  {
    name: 'path-in-text',
    run: async (lab) => {
      await lab.launch();
      writeFileSync(join(lab.home.cwd, 'notes.txt'), 'what stands in the file');
      const given = await lab.life.inject('Look at @notes.txt.\n@@say one');
      await lab.expect(given, 'seen');
      const { body } = lab.got(given)[0] ?? { body: '' };
      lab.check('the file is not read', !body.includes('what stands in the file'));
      lab.check('its name is', body.includes('\\\\@notes.txt'));
      return undefined;
    },
  },
  {
    name: 'shell-mode',
    run: async (lab) => {
      await lab.launch();
      await lab.life.terminal.type('!');
      await shows(lab, /^!/m);
      const given = await lab.life.inject('touch ran-as-command');
      // It is run as a command, and is none.
      await shows(lab, /syntax error near unexpected token/);
      await lab.expect(given, 'none');
      lab.check('nothing was run', !existsSync(join(lab.home.cwd, 'ran-as-command')));
      lab.check('the model did not get it', lab.got(given).length === 0);
      return undefined;
    },
  },
];
