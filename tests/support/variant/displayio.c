
// What ports/unix/displayio_min.c above lacks.
MP_DEFINE_CONST_OBJ_TYPE(displayio_ondiskbitmap_type, MP_QSTR_OnDiskBitmap, MP_TYPE_FLAG_NONE);
