import { answerQuestions } from '@holdfast/foundation/killable-process';
import { readDocument } from './read-document.ts';

/** The reading side, in a process of its own; the starter limits time and memory. */
answerQuestions(readDocument);
