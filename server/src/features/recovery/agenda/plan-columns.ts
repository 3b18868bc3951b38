/*
 * SQL for the columns of an agenda that say what is planned.
 */

/** Nothing is sent next. */
export const noContactSql =
  'contact_at = null, contact_slot = null, contact_channel = null, contact_because = null, contact_invoice_id = null'

/** The plan stays valid although the generation grows: what is planned has not changed. */
export const keepPlanSql = `plan_generation = case when plan_generation = wake_generation then wake_generation + 1 else plan_generation end`
