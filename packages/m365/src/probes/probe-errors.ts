/** The tenant has nothing to try it with, or the application has not the role. */
export class NotAsked extends Error {}

/** Something that a probe needs on its way was answered otherwise than expected. */
export class AnsweredOtherwise extends Error {}
