/**
 * Every advisory lock with two numbers: a class and a number in it. They share one space in the database, so they are listed
 * here, and a guard test compares them. Locks on a 64-bit hash have one number and a separate space.
 */
export const advisoryLocks = {
  bootstrap: [0x726c6e63, 0],
  signingKeys: [0x726c7364, 0],
  migration: [0x726c6d67, 0],
} as const satisfies Record<string, readonly [lockClass: number, number: number]>

/** Classes whose number is a hash of a tenant. */
export const tenantLockClasses = {
  scoring: 0x726c6e64,
  /** Used by `enter_tenant` and `lock_sandbox_exclusive` in the migrations. */
  sandboxClock: 0x726c7362,
  sandboxAlone: 0x726c7363,
  storedBytes: 0x726c7365,
} as const
