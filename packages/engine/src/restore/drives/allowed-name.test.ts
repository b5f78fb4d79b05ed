import { expect, it } from 'vitest';
import { acceptedName } from './allowed-name.ts';

it.each([
  ['Plan.docx', 'Plan.docx'],
  ['a"b*c:d<e>f?g/h\\i|j', 'a_b_c_d_e_f_g_h_i_j'],
  [' spaced ', 'spaced'],
  ['  ', '_'],
  ['Con', '_Con'],
  ['COM0', '_COM0'],
  ['lpt9', '_lpt9'],
  ['COM10', 'COM10'],
  ['CON.txt', 'CON.txt'],
  ['.lock', '_.lock'],
  ['desktop.ini', '_desktop.ini'],
  ['~$Plan.docx', '_~$Plan.docx'],
  ['my_VTI_file', 'my-vti-file'],
  [`${'n'.repeat(300)}.docx`, `${'n'.repeat(250)}.docx`],
  ['n'.repeat(300), 'n'.repeat(255)],
])('the name %j becomes %j', (name, accepted) => {
  expect(acceptedName(name)).toBe(accepted);
  expect(acceptedName(accepted)).toBe(accepted);
});
