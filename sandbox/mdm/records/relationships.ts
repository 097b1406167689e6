export interface RelationshipEnd {
  businessEntity: string;
  businessId: string;
}

export interface Relationship {
  readonly id: string;
  /** Its kind in the data model. */
  readonly kind: string;
  sourceSystem: string;
  from: RelationshipEnd;
  to: RelationshipEnd;
  hierarchy: { type?: string; id?: string };
  attributes: Record<string, unknown>;
  readonly creationDate: number;
  changedAt: number;
}

type Ends = Partial<Pick<Relationship, 'from' | 'to'>>;

/** The relationships between golden records. */
export class Relationships {
  #all: Relationship[] = [];
  #ids = 0;

  /** Creates a relationship. A second one between the same records updates the first. */
  create(relationship: Omit<Relationship, 'id' | 'creationDate' | 'changedAt'>): Relationship {
    const { kind, from, to, sourceSystem, hierarchy, attributes } = relationship;
    const [known] = this.find(kind, { from, to });
    if (known) return change(known, { sourceSystem, hierarchy, attributes });
    const id = `REL${(++this.#ids).toString().padStart(8, '0')}`;
    const now = Date.now();
    const created = { id, creationDate: now, changedAt: now, ...relationship };
    this.#all.push(created);
    return created;
  }

  /** The relationship of a kind with this id. */
  read(kind: string, id: string): Relationship | undefined {
    return this.#all.find((candidate) => candidate.kind === kind && candidate.id === id);
  }

  delete(relationship: Relationship): void {
    this.#all = this.#all.filter((candidate) => candidate !== relationship);
  }

  /** The relationships of a kind with these ends. */
  find(kind: string, { from, to }: Ends): Relationship[] {
    return this.#all.filter(
      (candidate) => candidate.kind === kind && fits(candidate.from, from) && fits(candidate.to, to),
    );
  }

  /** Moves a merged record's relationships to the survivor. A relationship between the two ends. */
  move(businessId: string, survivorId: string): void {
    for (const { from, to } of this.#all) {
      for (const end of [from, to]) if (end.businessId === businessId) end.businessId = survivorId;
    }
    this.#all = this.#all.filter(({ from, to }) => from.businessId !== survivorId || to.businessId !== survivorId);
  }

  /** Ends every relationship of a record. */
  forget(businessId: string): void {
    this.#all = this.#all.filter(({ from, to }) => from.businessId !== businessId && to.businessId !== businessId);
  }
}

/** Changes a relationship, and notes when. */
export function change(known: Relationship, changes: Partial<Relationship>): Relationship {
  return Object.assign(known, changes, { changedAt: Math.max(Date.now(), known.creationDate + 1) });
}

function fits(end: RelationshipEnd, wanted?: Partial<RelationshipEnd>): boolean {
  if (wanted === undefined) return true;
  return end.businessId === wanted.businessId && end.businessEntity === (wanted.businessEntity ?? end.businessEntity);
}
