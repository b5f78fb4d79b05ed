import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Journeys run by their numbers: the short ones come while the product still makes its first backups, which later ones need. */
export class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files.filter((file) => file.project.name !== 'e2e'));
    const journeys = files.filter((file) => file.project.name === 'e2e');
    return [...others, ...journeys.sort((one, other) => one.moduleId.localeCompare(other.moduleId))];
  }
}
