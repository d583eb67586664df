import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makePicture } from './make-picture.ts';

/**
 * Makes the picture of the README from a run of the demo:
 *
 *     npm run docs:picture
 */
writeFileSync('docs/team.svg', await makePicture(resolve('dist/signalbox.cjs'), 30));
