-- name: note_uses
-- Once per item and session: only what is noted for the first time comes back.
INSERT INTO memory_uses (item, session_id, used_at)
SELECT key, :session_id, :at FROM memory_items WHERE id IN (SELECT value FROM carray(:ids))
ON CONFLICT (item, session_id) DO NOTHING RETURNING item, (SELECT id FROM memory_items WHERE key = item)

-- name: count_uses
-- The gain is what the formula of the domain adds to the item's confidence, use by use. No use is dated before the
-- item's last change: by a clock that was set back, what is used would grow old.
INSERT INTO memory_usage (item, usage_count, last_used_at, confidence_gain)
SELECT key, 1, max(:at, updated_at), confidence_after_use(confidence, 1) - confidence FROM memory_items
WHERE key IN (SELECT value FROM carray(:items))
ON CONFLICT (item) DO UPDATE SET
    usage_count = usage_count + 1,
    last_used_at = max(coalesce(last_used_at, excluded.last_used_at), excluded.last_used_at),
    confidence_gain = (
        SELECT confidence_after_use(min(1.0, i.confidence + memory_usage.confidence_gain), usage_count + 1)
            - i.confidence
        FROM memory_items AS i WHERE i.key = memory_usage.item
    )

-- name: fold_gain
UPDATE memory_usage SET confidence_gain = 0 WHERE item = :item AND confidence_gain <> 0

-- name: put_usage
INSERT INTO memory_usage (item, reinforcement, usage_count, last_used_at, last_hit_at, confidence_gain)
VALUES (:item, :reinforcement, :usage_count, :last_used_at, :last_hit_at, :gain)
ON CONFLICT (item) DO UPDATE SET
    reinforcement = excluded.reinforcement, usage_count = excluded.usage_count,
    last_used_at = excluded.last_used_at, last_hit_at = excluded.last_hit_at,
    confidence_gain = excluded.confidence_gain
