/**
 * The blocks of our pages that no test types into a terminal, by page and by the beginning of their
 * first command, each with the reason. `*` is a whole page. Every command line of ours in them must
 * still parse (`test/documents.test.ts`).
 */
export const shownBlocks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm install && npx signalbox demo': 'it is these tests, and the demo: .ci/run runs both',
    'npm ci --ignore-scripts': 'test/integration/install.full.test.ts types it into a clone',
  },
  'docs/getting-started.md': {
    'npm ci --ignore-scripts': 'test/integration/install.full.test.ts types it into a clone',
  },
  'docs/attention.md': {
    'signalbox config set desktop-notifications': 'it switches off what the tests of attention try',
    'signalbox config set on-attention': 'it names a program of the reader’s own',
    'signalbox answer lead': 'npm run lab:answers does it with a real CLI that asks',
    'signalbox config set supervisors-answer': 'npm run lab:answers names one, and it answers',
  },
  'docs/clis/claude-code.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/clis/codex.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/clis/gemini.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/clis/opencode.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/clis/copilot.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/clis/qwen.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/clis/kimi.md': { 'npm install -g': 'it installs a CLI; npm run lab:install does' },
  'docs/commands.md': {
    '*': 'examples of the help texts, each for a situation of its own; the tests of each command run it',
  },
  'docs/detectors.md': {
    'signalbox detect --provider claude': 'it reads a pane of the reader’s own tmux',
  },
  'docs/herdr.md': {
    'signalbox launch claude --name hera':
      'it needs herdr, and makes herdr the default of the home',
    'signalbox launch gemini --name gem': 'it needs herdr',
    'HERDR_BIN=': 'it needs a real herdr, and takes an hour',
  },
  'docs/how-delivery-works.md': {
    'signalbox explain msg_01m7qc2s': 'it shows what a run of the lab has printed',
    'signalbox explain msg_01m7qc2w': 'it shows what a run of the lab has printed',
  },
  'docs/operations.md': {
    'signalbox ls': 'it shows a refusal: the folder is open to others',
    'signalbox interrupt lead': 'it needs a turn of a real CLI; npm run lab:delivery ends some',
    'signalbox attach --next': 'it needs agents that wait, whom the tests of attach have',
    'signalbox config set attach-key': 'it would change the key of the pages behind it',
    sqlite3: 'it writes to /backup, with a program that signalbox does not need',
  },
  'docs/security.md': {
    'signalbox launch project:reviewer': 'it shows a question about a file of that project',
  },
  'skills/signalbox/SKILL.md': {
    '*': 'a model types these in the terminal of an agent: test/integration/skill.test.ts does it there',
  },
};
