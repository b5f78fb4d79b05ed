import { describeDamageMatrix } from '../../testing/damage-matrix.ts';

describeDamageMatrix(8);
