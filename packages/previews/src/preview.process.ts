import { answerQuestions, guardMemory } from '@holdfast/foundation/killable-process';
import { drawPage } from './draw-page.ts';

/** The drawing side, in a process of its own. Pixels are no part of the heap: all that the process takes is limited. */
guardMemory(Number(process.argv[2]));
answerQuestions(drawPage);
