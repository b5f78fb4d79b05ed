import * as simulator from '@holdfast/m365-simulator';
export default simulator;
