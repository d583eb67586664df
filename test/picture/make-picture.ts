import { drawScreen } from './draw-screen.ts';
import { filmDemo } from './film-demo.ts';

const columns = 96;
const caption = {
  title: 'signalbox demo',
  note: 'scripted agents, no model',
  description:
    'A supervisor and its workers in a terminal, all of them scripted programs. A worker is killed with -9; the supervisor is told and gives its task to another.',
};

/** The picture of the README, as SVG, from a run of the demo that is to take so many seconds. */
export async function makePicture(program: string, seconds: number): Promise<string> {
  return drawScreen(await filmDemo({ program, columns, seconds }), columns, caption);
}
