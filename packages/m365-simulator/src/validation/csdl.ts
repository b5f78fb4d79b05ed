/** A structured type (entity or complex) with what it declares itself; inherited members are found by `base`. */
export interface StructuredType {
  readonly kind: 'structured';
  readonly name: string;
  readonly base: string | undefined;
  readonly isOpen: boolean;
  readonly isAbstract: boolean;
  readonly isEntity: boolean;
  readonly properties: ReadonlyMap<string, Member>;
  readonly navigation: ReadonlyMap<string, Member>;
}

export interface EnumType {
  readonly kind: 'enum';
  readonly name: string;
  readonly members: ReadonlySet<string>;
  readonly isFlags: boolean;
}

/** A property, navigation property, parameter or return type. */
export interface Member {
  readonly type: string;
  readonly isCollection: boolean;
  readonly isNullable: boolean;
}

/** A bound function or action. */
export interface Operation {
  readonly name: string;
  readonly isAction: boolean;
  readonly binding: Member;
  readonly parameters: ReadonlyMap<string, Member>;
  readonly returns: Member | undefined;
}

/** What the rest of the validator asks of the metadata; names are qualified (`microsoft.graph.user`). */
export interface Schema {
  structured(name: string): StructuredType | undefined;
  enumeration(name: string): EnumType | undefined;
  /** Operations called `name`, in the order of the metadata. */
  operations(name: string): readonly Operation[];
  /** An entity set or singleton of the service. */
  root(name: string): Member | undefined;
  /** True when `name` is `ancestor` or derives from it. */
  derives(name: string, ancestor: string): boolean;
}
